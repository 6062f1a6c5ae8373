"""Random acts, sent to the service and done in the books of the model."""

from .campaigns import Campaigns
from .coins import Coins
from .disputes import Disputes
from .free import Free
from .orders import Orders
from .payments import Payments
from .play import Play
from .player import Mismatch, moment, require, today
from .providers import Providers
from .stores import Stores
from .custody import Custody

__all__ = ["Mismatch", "Player", "moment", "require", "today"]


class Player(Coins, Orders, Campaigns, Payments, Stores, Play, Free, Disputes, Providers, Custody):
    """Acts for some users and providers, one act after the other. No other thread acts for them."""

    WEIGHTS = {
        **Coins.WEIGHTS, **Orders.WEIGHTS, **Campaigns.WEIGHTS, **Payments.WEIGHTS, **Stores.WEIGHTS,
        **Play.WEIGHTS, **Free.WEIGHTS, **Disputes.WEIGHTS, **Providers.WEIGHTS, **Custody.WEIGHTS,
    }
