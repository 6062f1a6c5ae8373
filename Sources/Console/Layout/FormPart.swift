/// Pieces of forms and lists, for templates.
enum FormPart {
    /// What each form carries: the session's token, and what makes a form one act however often it is sent.
    ///
    /// - Parameter once: the name of the second value; a page with several forms has one for each.
    static func hidden(_ once: String = "once") -> String {
        """
        <input type="hidden" name="token" value="{{token}}"><input type="hidden" name="once" value="{{\(once)}}">
        """
    }

    /// What a list says that has nothing to show: why, and what to do.
    ///
    /// - Parameter text: the key of its text.
    static func empty(_ text: String) -> String {
        """
        <div class="empty" role="status"><p>{{t.\(text)}}</p></div>
        """
    }

    /// The required reason of an act.
    ///
    /// - Parameters:
    ///   - id: the field's id in the page.
    ///   - label: the key of its text.
    static func reason(_ id: String = "reason", label: String = "reason") -> String {
        """
        <div class="field"><label for="\(id)">{{t.\(label)}}</label>
        <input id="\(id)" name="reason" required maxlength="256" autocomplete="off"></div>
        """
    }

    /// The bank account of a refund, folded, for payment methods that can't return money themselves.
    static let account = """
        <details><summary>{{t.refundAccount}}</summary><fieldset><legend>{{t.refundAccountLegend}}</legend>
        <div class="field"><label for="bank">{{t.refundBank}}</label><input id="bank" name="bank" autocomplete="off"></div>
        <div class="field"><label for="number">{{t.refundNumber}}</label>
        <input id="number" name="number" autocomplete="off" inputmode="numeric"></div>
        <div class="field"><label for="holder">{{t.refundHolder}}</label><input id="holder" name="holder" autocomplete="off"></div>
        <div class="field"><label for="phone">{{t.refundPhone}}</label>
        <input id="phone" name="phone" type="tel" autocomplete="off"></div></fieldset></details>
        """
}
