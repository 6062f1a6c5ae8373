"""Days and months in Seoul, which is ledgerd's time zone unless a setting names another. Moments are Unix times."""

import datetime

import settings

SEOUL = datetime.timezone(datetime.timedelta(hours=9))


def day_of(moment):
    return datetime.datetime.fromtimestamp(moment, SEOUL).date()


def month_of(moment):
    """Such as 2026-01."""
    return day_of(moment).isoformat()[:7]


def start(day):
    """The first moment of a day."""
    return datetime.datetime.combine(day, datetime.time(), SEOUL).timestamp()


def next_noon(moment):
    return start(day_of(moment) + datetime.timedelta(1)) + 12 * 3600


def days_later(moment, days):
    """The first moment after so many days: the day of the moment does not count, and the last day counts whole."""
    return start(day_of(moment) + datetime.timedelta(days + 1))


def lifetime_end(begin, seconds):
    """When coins expire. A number of days ends with the last one, and counts the first one if it begins with it."""
    days, rest = divmod(seconds, 86_400)
    if rest or settings.WHOLE_DAYS_FROM == "never" or day_of(begin).isoformat() < settings.WHOLE_DAYS_FROM:
        return begin + seconds
    return days_later(begin, days - (begin == start(day_of(begin))))


def month_end(moment):
    """The first moment of the next month."""
    first = day_of(moment).replace(day=1)
    return start((first + datetime.timedelta(31)).replace(day=1))
