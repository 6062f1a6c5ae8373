extension EndpointPages {
    /// The fields of an endpoint that people choose.
    private static let filterFields = """
        <fieldset><legend>{{t.endpointTypes}}</legend><p class="quiet">{{t.endpointTypesHelp}}</p><ul class="choices">
        """

    static let listTemplate = ConsoleTemplate(
        """
        {{#isOff}}<p class="warning">{{t.endpointsOff}}</p>{{/isOff}}
        {{^section}}\(FormPart.empty("endpointsNone")){{/section}}
        {{#section}}<table class="stacked"><thead><tr><th scope="col">{{t.endpointTitle}}</th><th scope="col">{{t.status}}</th>
        <th scope="col" class="number">{{t.endpointBehind}}</th><th scope="col" class="number">{{t.endpointWaitingUsers}}</th>
        <th scope="col" class="number">{{t.endpointGivenUp}}</th><th scope="col">{{t.waitingSince}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row"><a href="/console/endpoints/{{id}}">{{id}}: {{url}}</a><br>
        <span class="quiet">{{description}}</span></th>
        <td><span class="status {{tone}}">{{status}}</span> {{why}}
        {{#isFailing}}<br>{{t.endpointFailures}}: {{failures}}{{#failing}}, <time datetime="{{value}}">{{text}}</time>{{/failing}}{{/isFailing}}</td>
        <td class="number">{{behind}}</td><td class="number">{{waitingUsers}}</td><td class="number">{{givenUp}}</td>
        <td>{{#oldest}}<time datetime="{{value}}">{{text}}</time>{{/oldest}}</td></tr>
        {{/rows}}</tbody></table>{{/section}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.endpointsNext}}</a></p>{{/next}}
        {{#mayAdd}}<h2>{{t.endpointNew}}</h2>
        <form class="act" method="post" action="\(ConsoleAct.addEndpoint.action())">\(FormPart.hidden())
        <div class="field"><label for="url">URL</label>
        <input id="url" name="url" type="url" required maxlength="2000" autocomplete="off" placeholder="https://"></div>
        <div class="field"><label for="description">{{t.endpointDescription}}</label>
        <input id="description" name="description" maxlength="200" autocomplete="off"></div>
        \(filterFields){{#types}}<li><label><input type="checkbox" name="type:{{name}}" value="yes"> {{name}}</label></li>
        {{/types}}</ul></fieldset>
        <div class="field"><label for="users">{{t.endpointUsers}}</label>
        <input id="users" name="users" autocomplete="off"><small>{{t.endpointUsersHelp}}</small></div>
        <div class="field"><label for="first">{{t.endpointFrom}}</label>
        <input id="first" name="from" inputmode="numeric" autocomplete="off"><small>{{t.endpointFromHelp}}</small></div>
        \(FormPart.reason())
        <div><button class="first">{{t.endpointAdd}}</button></div></form>{{/mayAdd}}
        """)

    static let secretTemplate = ConsoleTemplate(
        """
        <p>{{url}}</p>
        <p class="warning" role="status">{{t.endpointSecretOnce}}</p>
        <p><code>{{secret}}</code></p>
        {{#former}}<p>{{t.endpointFormer}}: <time datetime="{{value}}">{{text}}</time></p>{{/former}}
        <p><a href="/console/endpoints/{{id}}">{{t.back}}</a></p>
        """)

    static let pageTemplate = ConsoleTemplate(
        """
        {{#tested}}<p class="{{notice}}" role="status">{{t.endpointTested}}: {{outcome}}, {{http}}{{latency}} ms</p>
        {{#answer}}<pre>{{answer}}</pre>{{/answer}}{{/tested}}
        <p><span class="status {{tone}}">{{status}}</span> {{why}}</p>
        <p><code>{{url}}</code> {{description}}</p>
        <dl class="facts"><div><dt>{{t.endpointBehind}}</dt><dd>{{behind}}</dd></div>
        <div><dt>{{t.endpointWaitingUsers}}</dt><dd>{{waitingUsers}}</dd></div>
        <div><dt>{{t.endpointGivenUp}}</dt><dd>{{givenUp}}</dd></div>
        <div><dt>{{t.endpointFailures}}</dt><dd>{{failures}}</dd></div>
        {{#oldest}}<div><dt>{{t.waitingSince}}</dt><dd>{{text}}</dd></div>{{/oldest}}
        {{#failing}}<div><dt>{{t.endpointFailing}}</dt><dd>{{text}}</dd></div>{{/failing}}
        {{#paused}}<div><dt>{{t.endpointPaused}}</dt><dd>{{text}}</dd></div>{{/paused}}</dl>
        <ul><li>{{t.endpointTypes}}: {{types}}{{^types}}{{t.allActs}}{{/types}}</li>
        <li>{{t.endpointUsers}}: {{users}}{{^users}}{{t.allActs}}{{/users}}</li>
        <li>{{t.endpointCreated}}: {{createdBy}}, {{#created}}<time datetime="{{value}}">{{text}}</time>{{/created}}</li>
        {{#former}}<li>{{t.endpointFormer}}: <time datetime="{{value}}">{{text}}</time></li>{{/former}}</ul>
        <h2>{{t.deliveries}}</h2>
        <p>{{#onlyFailed}}<a href="/console/endpoints/{{id}}">{{t.deliveriesAll}}</a>{{/onlyFailed}}
        {{^onlyFailed}}<a href="/console/endpoints/{{id}}?failed=yes">{{t.deliveriesFailed}}</a>{{/onlyFailed}}</p>
        {{^attempts}}<p class="quiet" role="status">{{t.noneAttempts}}</p>{{/attempts}}
        {{#attempts}}<table class="stacked"><thead><tr><th scope="col">{{t.time}}</th><th scope="col">{{t.eventTitle}}</th>
        <th scope="col">{{t.outcome}}</th><th scope="col" class="number">HTTP</th><th scope="col" class="number">ms</th>
        <th scope="col">{{t.deliveryAnswer}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{#time}}<time datetime="{{value}}">{{text}}</time>{{/time}}</th>
        <td><a class="pick" href="/console/events/{{seq}}">{{seq}}</a>
        {{#again}}<br><a class="pick" href="{{again}}">{{t.replayThis}}<span class="hidden"> {{seq}}</span></a>{{/again}}</td>
        <td><span class="status {{tone}}">{{outcome}}</span></td><td class="number">{{http}}</td>
        <td class="number">{{latency}}</td>
        <td>{{#answer}}<details><summary>{{t.deliveryAnswer}}</summary><pre>{{answer}}</pre></details>{{/answer}}</td></tr>
        {{/rows}}</tbody></table>{{/attempts}}
        {{#next}}<p><a class="button" href="{{next}}">{{t.more}}</a></p>{{/next}}
        <h2>{{t.replays}}</h2>
        {{^replays}}<p class="quiet">{{t.noneReplays}}</p>{{/replays}}
        {{#replays}}<table class="stacked"><thead><tr><th scope="col">{{t.replayTitle}}</th>
        <th scope="col">{{t.replayProgress}}</th><th scope="col">{{t.person}}</th><th scope="col">{{t.time}}</th>
        <th scope="col">{{t.replayFinished}}</th></tr></thead><tbody>
        {{#rows}}<tr><th scope="row">{{id}}</th><td>{{position}} / {{until}}{{#onlyFailed}}<br>{{t.replayFailed}}{{/onlyFailed}}</td>
        <td>{{by}}</td><td>{{#requested}}<time datetime="{{value}}">{{text}}</time>{{/requested}}</td>
        <td>{{#finished}}<time datetime="{{value}}">{{text}}</time>{{/finished}}</td></tr>
        {{/rows}}</tbody></table>{{/replays}}
        {{#forms}}\(forms){{/forms}}
        """)

    private static let forms = """
        <h2>{{t.endpointDo}}</h2>
        {{#isOn}}<form class="line" method="post" action="\(ConsoleAct.testEndpoint.action())">\(FormPart.hidden("onceTest"))<button>{{t.endpointTest}}</button></form>{{/isOn}}
        {{^isOn}}<p class="warning">{{t.endpointsOff}}</p>{{/isOn}}
        <form id="again" class="act" method="post" action="\(ConsoleAct.replayEvents.action())">
        <h3>{{t.replayNew}}</h3><p class="quiet">{{t.replayHelp}}</p>\(FormPart.hidden("onceAgain"))
        <div class="field"><label for="from">{{t.replayFrom}}</label>
        <input id="from" name="from" value="{{from}}" required inputmode="numeric" autocomplete="off"></div>
        <div class="field"><label for="until">{{t.replayUntil}}</label>
        <input id="until" name="until" value="{{until}}" inputmode="numeric" autocomplete="off"></div>
        <label><input type="checkbox" name="failed" value="yes"> {{t.replayFailed}}</label>
        \(FormPart.reason("again-reason"))
        <div><button>{{t.replayButton}}</button></div></form>
        <form class="act" method="post"
        action="{{#isEnabled}}\(ConsoleAct.disableEndpoint.action()){{/isEnabled}}{{^isEnabled}}\(ConsoleAct.enableEndpoint.action()){{/isEnabled}}">
        <h3>{{#isEnabled}}{{t.endpointDisable}}{{/isEnabled}}{{^isEnabled}}{{t.endpointEnable}}{{/isEnabled}}</h3>
        <p class="quiet">{{t.endpointSwitchHelp}}</p>\(FormPart.hidden("onceSwitch"))
        \(FormPart.reason("switch-reason"))
        <div><button>{{#isEnabled}}{{t.endpointDisable}}{{/isEnabled}}{{^isEnabled}}{{t.endpointEnable}}{{/isEnabled}}</button></div></form>
        <details><summary>{{t.endpointChange}}</summary>
        <form class="act" method="post" action="\(ConsoleAct.changeEndpoint.action())">\(FormPart.hidden("onceChange"))
        <div class="field"><label for="url">URL</label>
        <input id="url" name="url" type="url" value="{{url}}" required maxlength="2000" autocomplete="off"></div>
        <div class="field"><label for="description">{{t.endpointDescription}}</label>
        <input id="description" name="description" value="{{description}}" maxlength="200" autocomplete="off"></div>
        \(filterFields){{#allTypes}}<li><label><input type="checkbox" name="type:{{name}}" value="yes"{{#isChosen}} checked{{/isChosen}}>
        {{name}}</label></li>
        {{/allTypes}}</ul></fieldset>
        <div class="field"><label for="users">{{t.endpointUsers}}</label>
        <input id="users" name="users" value="{{users}}" autocomplete="off"><small>{{t.endpointUsersHelp}}</small></div>
        \(FormPart.reason("change-reason"))
        <div><button>{{t.endpointChange}}</button></div></form></details>
        {{#isOn}}<details><summary>{{t.endpointRotate}}</summary>
        <form class="act" method="post" action="\(ConsoleAct.rotateEndpointSecret.action())">
        <p class="quiet">{{t.endpointRotateHelp}}</p>\(FormPart.hidden("onceSecret"))
        \(FormPart.reason("secret-reason"))
        <div><button>{{t.endpointRotate}}</button></div></form></details>{{/isOn}}
        <details><summary>{{t.endpointDelete}}</summary>
        <form class="act" method="post" action="\(ConsoleAct.deleteEndpoint.action())">
        <p class="quiet">{{t.endpointDeleteHelp}}</p>\(FormPart.hidden("onceDelete"))
        \(FormPart.reason("delete-reason"))
        <div><button>{{t.endpointDelete}}</button></div></form></details>
        """

    static let texts: [ConsoleText] = [
        .init("endpointsTitle", "Endpoints", "엔드포인트"), .init("endpointTitle", "Endpoint", "엔드포인트"),
        .init("endpointsOff", "No webhooks are sent: endpoint_key is not set.", "endpoint_key가 설정되지 않아 웹훅을 보내지 않습니다."),
        .init(
            "endpointsNone", "No server gets events. An administrator can add its URL.",
            "이벤트를 받는 서버가 없습니다. 관리자가 URL을 추가할 수 있습니다."),
        .init("endpointsNext", "More endpoints", "엔드포인트 더 보기"),
        .init("endpointBehind", "New events to send", "보낼 새 이벤트"),
        .init("endpointWaitingUsers", "Customers whose events wait", "이벤트가 대기 중인 고객"),
        .init("endpointGivenUp", "Events given up", "포기한 이벤트"), .init("endpointFailures", "Failures in a row", "연속 실패"),
        .init("endpointFailing", "Failing since", "실패 시작"),
        .init("endpointPaused", "Next attempt not before", "다음 시도 시각"),
        .init("endpointDescription", "Description", "설명"), .init("endpointTypes", "Events", "이벤트 유형"),
        .init("endpointTypesHelp", "With none checked, all events are sent.", "하나도 선택하지 않으면 모든 이벤트를 보냅니다."),
        .init("endpointUsers", "Customers", "고객"),
        .init(
            "endpointUsersHelp", "User ids, separated by commas. Empty: everybody's events.",
            "사용자 ID를 쉼표로 구분합니다. 비우면 모든 고객의 이벤트를 보냅니다."),
        .init("endpointFrom", "First event", "첫 이벤트"),
        .init("endpointFromHelp", "Its number. Empty: the next event that happens.", "이벤트 번호. 비우면 다음에 생기는 이벤트부터 보냅니다."),
        .init("endpointCreated", "Created by", "등록"),
        .init("endpointFormer", "The former secret is valid until", "이전 시크릿 유효 기한"),
        .init("endpointNew", "A new endpoint", "새 엔드포인트"), .init("endpointAdd", "Add the endpoint", "엔드포인트 추가"),
        .init("endpointSecretTitle", "Secret of endpoint", "엔드포인트 시크릿"),
        .init(
            "endpointSecretOnce",
            "Copy the secret now: this page alone shows it. The receiver verifies signatures with it.",
            "지금 시크릿을 복사하세요. 이 페이지에서만 표시됩니다. 수신 서버가 서명 검증에 사용합니다."),
        .init("endpointTested", "The test", "테스트 결과"), .init("endpointDo", "What to do", "작업"),
        .init("endpointTest", "Send a test", "테스트 보내기"), .init("endpointEnable", "Enable", "활성화"),
        .init("endpointDisable", "Disable", "비활성화"),
        .init(
            "endpointSwitchHelp", "A disabled endpoint misses nothing: enabled again, it continues where it stopped.",
            "비활성화해도 이벤트는 사라지지 않습니다. 다시 활성화하면 멈춘 곳부터 계속합니다."),
        .init("endpointChange", "Change", "변경"), .init("endpointRotate", "Replace the secret", "시크릿 교체"),
        .init(
            "endpointRotateHelp", "For 24 hours, messages are signed with the new and with the former secret.",
            "24시간 동안 새 시크릿과 이전 시크릿으로 모두 서명합니다."),
        .init("endpointDelete", "Delete", "삭제"),
        .init(
            "endpointDeleteHelp", "Nothing is sent there any more. This can't be undone.",
            "더 이상 보내지 않습니다. 되돌릴 수 없습니다."),
        .init("deliveries", "Attempts of the last 30 days", "최근 30일 전송 시도"),
        .init("deliveriesAll", "All attempts", "모든 시도"), .init("deliveriesFailed", "Only failed attempts", "실패한 시도만"),
        .init("deliveryAnswer", "Answer", "응답"),
        .init("replays", "Events that are sent again", "재전송"), .init("replayTitle", "Number", "번호"),
        .init("replayProgress", "Sent up to event", "진행(이벤트 번호)"), .init("replayFinished", "Finished", "완료"),
        .init("replayNew", "Send events again", "이벤트 재전송"), .init("replayThis", "Send again", "재전송"),
        .init(
            "replayHelp", "Each customer's events come in order, beside new events.", "새 이벤트와 함께, 고객별 순서대로 보냅니다."),
        .init("replayFrom", "First event", "첫 이벤트 번호"),
        .init("replayUntil", "Last event (empty: the latest)", "마지막 이벤트 번호(비우면 최신)"),
        .init("replayFailed", "Only events that were given up", "포기한 이벤트만"), .init("replayButton", "Send again", "재전송"),
        .init("endpoint_enabled", "enabled", "활성"), .init("endpoint_disabled", "disabled", "비활성"),
        .init("endpoint_deleted", "deleted", "삭제됨"),
        .init("endpointWhy_requested", "by a person or program", "요청에 의함"),
        .init("endpointWhy_gone", "the receiver answered 410", "수신 서버가 410 응답"),
        .init("endpointWhy_failing", "every attempt failed for five days", "5일간 모든 시도 실패"),
        .init("delivery_delivered", "delivered", "전송됨"), .init("delivery_refused", "refused", "거절됨"),
        .init("delivery_redirected", "redirected", "리디렉션"), .init("delivery_gone", "gone (410)", "종료됨(410)"),
        .init("delivery_too_many", "too many (429)", "요청 과다(429)"), .init("delivery_timeout", "timeout", "시간 초과"),
        .init("delivery_unreachable", "unreachable", "연결 불가"),
        .init("delivery_untrusted", "certificate not trusted", "신뢰할 수 없는 인증서"),
        .init("delivery_forbidden_address", "forbidden address", "허용되지 않은 주소"),
        .init("delivery_broken", "connection broken", "연결 끊김"), .init("delivery_cancelled", "cancelled", "취소됨"),
    ]
}
