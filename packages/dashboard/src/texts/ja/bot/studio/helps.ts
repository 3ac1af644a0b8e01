/** Helps of the fields of flows, by their English texts in the schema of the document. */
export const helps: Record<string, string> = {
  'Name of the card in traces and in `event.state.context`':
    'トレースと`event.state.context`でのカードの名前',
  'Message, or the text of a text message': 'メッセージ、またはテキストメッセージの本文',
  'Tags of the message': 'メッセージのタグ',
  'Conversation to send to; by default the current one':
    '送信先の会話。指定しない場合は現在の会話',
  'Kind of answer': '回答の種類',
  'Message that the bot sends before it waits': '待つ前にボットが送るメッセージ',
  'Variable for the answer': '回答を入れる変数',
  'Choices of `singleChoice` and `multipleChoice`, or an expression in `{{ }}` that returns them':
    '`singleChoice`と`multipleChoice`の選択肢、またはそれを返す`{{ }}`内の式',
  'Pattern of `regex`': '`regex`のパターン',
  'Minimum: of a number, a date, the characters of a text or the number of choices':
    '数値、日付、テキストの文字数、または選択数の下限',
  'Maximum, as for `min`': '上限。対象は`min`と同じです',
  'Condition on the answer, which is the global `value`':
    '回答の条件。回答はグローバル変数`value`にあります',
  'If true, a model reads answers in which the rules of the kind find nothing':
    'オンにすると、種類ごとの規則で読み取れない回答をモデルが読み取ります',
  'Model (`auto` by default), or several: the others are fallbacks':
    'モデル（既定は`auto`）。複数指定すると、2つ目以降は予備になります',
  'Message after an unsuitable answer': '回答が条件に合わないときのメッセージ',
  'How often the bot asks again (3 by default)': 'ボットが聞き直す回数（既定は3回）',
  'Words with which the user cancels': 'ユーザーがキャンセルするときの言葉',
  'Label of a button that cancels, below the choices or the question':
    '選択肢または質問の下に付くキャンセルボタンのラベル',
  'Next node after a cancel word. Without it, the next card runs and the variable is null':
    'キャンセルされたときの次のステップ。指定しない場合は次のカードに進み、変数はnullになります',
  'Next node after the last retry. Without it, the next card runs and the variable is null':
    '最後の聞き直しの後の次のステップ。指定しない場合は次のカードに進み、変数はnullになります',
  'Seconds to wait for an answer': '回答を待つ秒数',
  'Next node after the timeout. Without it, the next card runs and the variable is null':
    '時間切れのときの次のステップ。指定しない場合は次のカードに進み、変数はnullになります',
  'Text; {{ }} holds a JavaScript expression':
    'テキスト。{{ }}の中にはJavaScriptの式を書きます',
  Condition: '条件',
  'Next node when the condition holds': '条件に合うときの次のステップ',
  'Next node': '次のステップ',
  'Flow to call; this flow continues after it':
    '実行するフロー。終わると、このフローに戻って続けます',
  'Values for the inputs of the flow, by input': 'フローの入力に渡す値（入力ごと）',
  'Variables for the outputs of the flow, by output':
    'フローの出力を入れる変数（出力ごと）',
  'Code to run': '実行するコード',
  ['Action of the bot by its name, of an integration as `integration:action`, or of an MCP ' +
    'server as `server:tool`']:
    'ボットのアクションの名前。連携のアクションは`integration:action`、' +
    'MCPサーバーのツールは`server:tool`と書きます',
  'Input of the action': 'アクションの入力',
  'Variable for its output': '出力を入れる変数',
  'Question; by default the preview of the event':
    '質問。指定しない場合はイベントのプレビュー',
  "Knowledge bases; by default all of the document's":
    'ナレッジベース。指定しない場合は、定義ファイルのすべてのナレッジベース',
  'Maximum number of passages (5 by default)': '抜粋の最大数（既定は5）',
  ['Minimum score of a passage (0.35 by default); a minimum score of the knowledge base ' +
    'replaces it']:
    '抜粋の最低スコア（既定は0.35）。ナレッジベースに最低スコアがあれば、そちらを使います',
  'Variable for the passages, which are also in `event.kb`':
    '抜粋を入れる変数。抜粋は`event.kb`にもあります',
  'Task for the model': 'モデルへの依頼',
  'Values for the model to read, by name; by default `message`, the preview of the event':
    'モデルが読む値（名前ごと）。指定しない場合は`message`（イベントのプレビュー）',
  'JSON Schema of the result': '結果のJSONスキーマ',
  'Variable for the result': '結果を入れる変数',
  'How often the model may correct a result that does not match `output` (2 by default)':
    '`output`に合わない結果をモデルが修正できる回数（既定は2回）',
  'Next node after a failure of the model. Without it, the failure is an error of the card':
    'モデルが失敗したときの次のステップ。指定しない場合は、カードのエラーになります',
  'Further instructions for the model': 'モデルへの追加の指示',
  'Descriptions in words, each with its next node; the model chooses one':
    '言葉による説明と、それぞれの次のステップ。モデルが1つ選びます',
  'Next node if no description fits. Without it, the next card runs':
    'どの説明にも合わないときの次のステップ。指定しない場合は次のカードに進みます',
  'Instructions for the text': '文章についての指示',
  'Variable for the text. Without it, the bot sends the text':
    '文章を入れる変数。指定しない場合は、ボットが文章を送ります',
  "Knowledge bases to search; by default all of the document's":
    '検索するナレッジベース。指定しない場合は、定義ファイルのすべてのナレッジベース',
  'Tags of the files to search, in place of knowledge bases; `{}` searches all files':
    'ナレッジベースの代わりに検索するファイルのタグ。`{}`はすべてのファイルを検索します',
  'Further instructions, for example on tone': '口調などについての追加の指示',
  ['Whether the model checks its answer with a second request, and the bot leaves out ' +
    'sentences that no cited passage supports (true by default)']:
    'モデルが2回目の呼び出しで自分の回答を確認し、引用した抜粋に裏付けのない文をボットが省くか' +
    'どうか（既定はオン）',
  ['Heading of the sources (`Sources:` or, without a model, `Source:` by default); an empty ' +
    'text omits them']:
    '出典の見出し（既定は`Sources:`、モデルがない場合は`Source:`）。' +
    '空にすると出典を表示しません',
  'Text above buttons for equally likely answers, without a model':
    'モデルがなく、同程度に有力な回答が複数あるときに、ボタンの上に表示するテキスト',
  'Message if the passages do not contain the answer': '抜粋に答えがないときのメッセージ',
  'Next node if the passages do not contain the answer. Without it, the next card runs':
    '抜粋に答えがないときの次のステップ。指定しない場合は次のカードに進みます',
  'Variable for `{ answer, citations }`, or null if unknown. Without it, the bot sends a message':
    '`{ answer, citations }`を入れる変数。答えが不明ならnullになります。指定しない場合は、' +
    'ボットがメッセージを送ります',
  'Name of the table': 'テーブルの名前',
  Operation: '操作',
  'Id of the row': '行のID',
  'Row, in the format of the Tables API': '行（Tables APIの形式）',
  'Rows, in the format of the Tables API': '複数の行（Tables APIの形式）',
  'Filter, in the format of the Tables API': 'フィルター（Tables APIの形式）',
  ['With `find`: texts by column that users typed. Rows fit in any capitals, codes without ' +
    'separators (`#A-1001` is `a1001`), and phone numbers in national and international form']:
    '`find`で使う、ユーザーが入力したテキスト（列ごと）。' +
    '大文字と小文字の違いやコードの区切り記号は無視し（`#A-1001`は`a1001`と同じ）、' +
    '電話番号は国内形式でも国際形式でも一致します',
  'Words to search for': '検索する言葉',
  'Column to sort by': '並べ替えに使う列',
  'Sort direction': '並べ替えの方向',
  'Maximum number of rows': '行の最大数',
  'Column by which `upsert` finds rows': '`upsert`が行を探すときに使う列',
  Variable: '変数',
  Value: '値',
  'Object to tag; `message` is the message that the bot answers':
    'タグを付ける対象。`message`は、ボットが答えているメッセージです',
  Tags: 'タグ',
  'Level (info by default)': 'レベル（既定はinfo）',
  'Text of the log line': 'ログの行のテキスト',
  'Name of the event': 'イベントの名前',
  'Condition on the event': 'イベントの条件',
  "Variable for the event's payload": 'イベントの内容を入れる変数',
  'Seconds to wait': '待つ秒数',
  'Message that the bot sends before': '引き継ぐ前にボットが送るメッセージ',
  'Why the bot cannot answer': 'ボットが回答できない理由',
  'Information for the person': '担当者に伝える情報',
  'Messages and events of the conversation that the bot receives meanwhile (`nothing` by default)':
    '引き継ぎ中にボットが受け取る、会話のメッセージとイベント（既定は`nothing`）',
  'Variable for the payload of `handoff_closed`, when the card continues':
    'カードの続きに進むときに、`handoff_closed`の内容を入れる変数',
  'Seconds without an event after which this conversation ends; 0 disables the timeout':
    'イベントがないまま、この会話が終了するまでの秒数。0にすると終了しません',
  'Flow to start': '開始するフロー',
  'Node to start at; by default the node of type `trigger`, otherwise the first node of the flow':
    '開始するステップ。指定しない場合は`trigger`型のステップ、' +
    'それもなければフローの最初のステップ',
  'Event of the bot, or of an integration as `integration:event`':
    'ボットのイベント。連携のイベントは`integration:event`と書きます',
  'Cron expression of five fields, in UTC': '5項目のcron式（UTC）',
  'Payload of the event': 'イベントの内容',
  'When it runs; see Hooks':
    '実行するタイミング。ドキュメントの「Hooks」を参照してください',
  'Name in traces and issues': 'トレースと問題での名前',
  ['If true, an error of the hook ends the turn. Otherwise the error becomes an issue and ' +
    'the turn continues']:
    'オンにすると、フックのエラーでターンが終了します。オフの場合、エラーは問題として記録され、' +
    'ターンは続きます',
  ['Seconds without an event after which a conversation ends (1,800 by default); 0 disables ' +
    'the timeout']:
    'イベントがないまま、会話が終了するまでの秒数（既定は1,800）。0にすると終了しません',
  'How often one turn may enter the same node (25 by default)':
    '1つのターンで同じステップに入れる回数（既定は25回）',
  'Maximum duration of one run of code in milliseconds (10,000 by default)':
    'コードの1回の実行にかけられる時間の上限（ミリ秒、既定は10,000）',
  'Maximum duration of one call of a model in milliseconds (45,000 by default)':
    'モデルの1回の呼び出しにかけられる時間の上限（ミリ秒、既定は45,000）',
  'Shows that the bot writes while a turn takes longer than half a second (off by default)':
    'ターンに0.5秒より長くかかる間、ボットが入力中であることを表示します（既定はオフ）',
  'Defaults of all captures': 'すべての質問の既定値',
  'IANA time zone of dates (UTC by default)': '日付のIANAタイムゾーン（既定はUTC）',
  ['BCP 47 tag of the language and region in which users write numbers, dates and phone ' +
    'numbers, such as `de-CH`. By default the variable `user.locale`']:
    'ユーザーが数値、日付、電話番号を書くときの言語と地域のBCP 47タグ（`de-CH`など）。' +
    '指定しない場合は変数`user.locale`',
  'Type of the node': 'ステップの種類',
  'Description for readers of the document': '定義ファイルを読む人のための説明',
  'Next node after the last card. Without it, the flow ends':
    '最後のカードの次のステップ。指定しない場合はフローが終了します',
  'Position on the page Flows of the dashboard; the bot does not use it':
    '「フロー」ページでの位置。ボットは使いません',
  'Next node after an exit without `to`. Without it, the flow ends':
    '`to`のない出口の次のステップ。指定しない場合はフローが終了します',
  'Task, rules and style of the agent': 'エージェントの仕事、ルール、話し方',
  'Randomness of the replies': '回答のランダムさ',
  'Tools that the model may call': 'モデルが呼び出せるツール',
  'Variables of the model': 'モデルの変数',
  'Exits by name': '出口（名前ごと）',
  'Limits of the work on one message of the user':
    'ユーザーの1つのメッセージを処理するときの制限',
  ['Next node after a limit or a failure of the model; `turn.error.reason` is the reason. ' +
    'Without it, this is an error of the node']:
    '制限に達したとき、またはモデルが失敗したときの次のステップ。' +
    '理由は`turn.error.reason`にあります。指定しない場合は、ステップのエラーになります',
  'When and how the model should call the tool':
    'モデルがツールをいつ、どのように呼び出すか',
  'Name of the tool; by default the name of the action, with `_` for `:`':
    'ツールの名前。指定しない場合はアクションの名前（`:`の代わりに`_`を使います）',
  'Action of the bot with code, by its name, or of an integration as `integration:action`':
    'コードを持つボットのアクションの名前。連携のアクションは`integration:action`と書きます',
  ["JSON Schema of the input, for an action of an integration; the bot's own actions " +
    'declare it, and tools of MCP servers have one']:
    '連携のアクションの入力のJSONスキーマ。ボット自身のアクションとMCPサーバーのツールには、' +
    'すでに定義があります',
  ["If true, an interrupted call of the bot's own action runs again. Otherwise the model " +
    'learns that the result is unknown']:
    'オンにすると、中断されたボット自身のアクションの呼び出しを再実行します。オフの場合は、' +
    '結果が不明であることをモデルに伝えます',
  'Name of the tool; by default the name of the flow':
    'ツールの名前。指定しない場合はフローの名前',
  'Flow to run. Its inputs are the input of the tool, its outputs the result; it may ask the user':
    '実行するフロー。フローの入力がツールの入力に、フローの出力がツールの結果になります。' +
    'ユーザーに質問することもできます',
  'Name of the tool; by default `search_knowledge`':
    'ツールの名前。指定しない場合は`search_knowledge`',
  ['Operations that the model may use (`find` and `get` by default). Each is one tool, such ' +
    'as `find_OrdersTable`']:
    'モデルが使える操作（既定は`find`と`get`）。操作ごとに`find_OrdersTable`のようなツールにな' +
    'ります',
  'Variables whose values the model sees': 'モデルが値を読み取れる変数',
  'Variables that the model also may set, with the tool `set_variables`':
    'モデルがツール`set_variables`で設定もできる変数',
  'When the model should take this exit, by calling the tool `exit_` and its name':
    'モデルがこの出口に進む場合。`exit_`に出口の名前を続けたツールを呼び出します',
  ['Condition. With `description`, the model can take the exit only while it holds; ' +
    '`outputs` has the given values. Without, the engine takes the exit as soon as it holds']:
    '条件。`description`がある場合、モデルは条件に合う間だけこの出口に進めます（渡された値は`ou' +
    'tputs`にあります）。ない場合は、条件に合うとすぐにボットがこの出口に進みます',
  'Values that the model must give, by name. Requires `description`':
    'モデルが渡す必要のある値（名前ごと）。`description`が必要です',
  "Next node; by default the node's `next`":
    '次のステップ。指定しない場合は、このステップの`next`',
  'Type of its value': '値の型',
  'Meaning, for the model': 'モデルに伝える意味',
  'Variable for the value': '値を入れる変数',
  'Calls of the model (10 by default)': 'モデルの呼び出し回数（既定は10回）',
  'Tokens of all calls, input and output': 'すべての呼び出しの入力と出力のトークン数',
  'Cost of all calls in US dollars': 'すべての呼び出しの費用（米ドル）',
  'Time of all calls and tools (45 by default). Tools are not interrupted':
    'すべての呼び出しとツールにかけられる時間（既定は45）。ツールは中断されません',
  'Offers the flow as a tool of the MCP server of the bot':
    'このフローを、ボットのMCPサーバーのツールとして公開します',
  'Variables while the flow runs, as `workflow.name`':
    'フローの実行中に使う変数（`workflow.name`の形）',
  'Values from the calling flow, as `workflow.name`':
    '呼び出し元のフローから受け取る値（`workflow.name`の形）',
  'Values for the calling flow, as `workflow.name`':
    '呼び出し元のフローに返す値（`workflow.name`の形）',
  'Type of its values': '値の型',
  'Value before the first write': '最初に書き込まれるまでの値',
}
