/** Problems that the check of a document finds, by their English sentences with `{}` for each value. */
export const problems: Record<string, string> = {
  'has more than {} characters. Shorten it': '{1}文字を超えています。短くしてください',
  'requires `flows`. Add `flows`, or remove this field':
    '`flows`が必要です。`flows`を追加するか、この項目を削除してください',
  ['a letter, then letters, digits and "_", at most 64 characters; "-" only in names of ' +
    'flows, nodes, triggers and knowledge bases']:
    '英字で始め、英字、数字、「_」だけを使い、64文字以内にしてください。「-」は、フロー、' +
    'ステップ、トリガー、ナレッジベースの名前でのみ使えます',
  'is not a valid name. Use {}': '有効な名前ではありません。{1}',
  ['is no variable. Write its scope and its name, such as `workflow.city`: the scope is ' +
    '`workflow`, `conversation`, `user` or `bot`; the name has letters, digits and "_"']:
    '変数ではありません。`workflow.city`のように範囲と名前を書いてください。範囲は`workflow`、' +
    '`conversation`、`user`、`bot`のいずれかで、名前には英字、数字、「_」が使えます',
  'does not have the form of this field': 'この項目の形式に合っていません',
  'is empty. Fill it in, or remove it': '空です。入力するか、削除してください',
  'needs at least {} characters': '{1}文字以上にしてください',
  'needs at least {} {}': '{2}が{1}個以上必要です',
  element: '要素',
  elements: '要素',
  'has more than {} elements. Remove some': '要素が{1}個を超えています。減らしてください',
  'has more than {} entries. Remove some': '項目が{1}個を超えています。減らしてください',
  'must be at least {}': '{1}以上にしてください',
  'must be at most {}': '{1}以下にしてください',
  'is invalid': '無効です',
  'is not a known field. Correct its name, or remove it':
    '存在しない項目です。名前を修正するか、削除してください',
  'is missing. Add it': 'ありません。追加してください',
  'must be {}': '{1}にしてください',
  'must be one of {}': '次のいずれかにしてください: {1}',
  'has none of the forms that this field allows. See docs/flows.md for them':
    'この項目で使える形式ではありません。形式はdocs/flows.mdにあります',
  'is empty. Write what the bot says': '空です。ボットの発言を入力してください',
  'repeats without end: {}. Add a card that waits or decides, or lead elsewhere':
    '終わりなく繰り返されます: {1}。待つカードか条件を判断するカードを追加するか、' +
    '別の場所に進めてください',
  'has {{ }} and more than {} characters. Shorten it':
    '{{ }}があり、{1}文字を超えています。短くしてください',
  'needs a language model, and the server has none, so it fails. Configure one, or remove it':
    '言語モデルが必要ですが、サーバーに設定されていないため失敗します。モデルを設定するか、' +
    '削除してください',
  'was not imported, and does nothing. Build this part, or remove it':
    'インポートされていないため、何もしません。この部分を作成するか、削除してください',
  'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"':
    '「{{」に対応する「}}」がなく、波かっこがユーザーに見えます。「}}」を追加するか、' +
    '「\\{{」と書いてください',
  'names {}, which is not in {}. Add it, or correct the name':
    '{1}が{2}にありません。追加するか、名前を修正してください',
  'the node "{}"': 'ステップ「{1}」',
  'this flow': 'このフロー',
  'the flow "{}"': 'フロー「{1}」',
  'the variable "{}"': '変数「{1}」',
  '`variables`, `inputs` or `outputs` of this flow':
    'このフローの`variables`、`inputs`、`outputs`',
  'names the action "{}", which has no `code` in `actions`. Add it, or correct the name':
    'アクション「{1}」の`code`が`actions`にありません。追加するか、名前を修正してください',
  'the integration "{}"': '連携「{1}」',
  'the knowledge base "{}"': 'ナレッジベース「{1}」',
  'names a variable of type "{}" for a value of type "{}". Change one of the two':
    '「{2}」型の値に「{1}」型の変数が指定されています。どちらかを変更してください',
  'names the file "{}", which does not exist. Add it beside the document, or correct the path':
    'ファイル「{1}」がありません。定義ファイルと同じ場所に追加するか、パスを修正してください',
  'is not in `{}` of the flow "{}". Declare it there, or remove it':
    'フロー「{2}」の`{1}`にありません。そこで宣言するか、削除してください',
  'is missing. Add the flow "main", in which conversations start':
    'ありません。会話が始まるフロー「main」を追加してください',
  'cannot be combined with `flows`. Remove one of the two':
    '`flows`と併用できません。どちらかを削除してください',
  'must not begin with "{}", which is reserved for the engine. Rename it':
    '予約されている「{1}」では始められません。名前を変更してください',
  'must have exactly one node of type "{}"': '「{1}」型のステップがちょうど1つ必要です',
  'must have at most one node of type "exception"':
    '「exception」型のステップは1つまでです',
  'must be "{}": only {} a node of type "{}"':
    '「{1}」にしてください。「{3}」型のステップがあるのは{2}だけです',
  'the flow "main" has': 'フロー「main」',
  'flows other than "main" have': '「main」以外のフロー',
  'has the name of a variable of this flow. Rename one of the two':
    'このフローの変数と同じ名前です。どちらかの名前を変更してください',
  'is not allowed in a node of type "{}". Remove it, or change the type':
    '「{1}」型のステップでは使えません。削除するか、型を変更してください',
  'is missing. The kind "{}" requires it': 'ありません。種類「{1}」には必要です',
  'is missing. The kind "regex" requires it': 'ありません。種類「regex」には必要です',
  'is not a valid RE2 pattern: {}': '有効なRE2パターンではありません: {1}',
  'requires `timeout`. Add `timeout`, or remove this field':
    '`timeout`が必要です。`timeout`を追加するか、この項目を削除してください',
  ['names nothing to search. Add a knowledge base to `knowledgeBases` of the document, or ' +
    'set `tags` of the card']:
    '検索するものがありません。定義ファイルの`knowledgeBases`にナレッジベースを追加するか、' +
    'カードの`tags`を設定してください',
  'cannot be combined with `knowledgeBases`. Remove one of the two':
    '`knowledgeBases`と併用できません。どちらかを削除してください',
  'has no effect with `into`, with which the card sends no message. Remove one of the two':
    '`into`があるとカードはメッセージを送らないため、効果がありません。' +
    'どちらかを削除してください',
  'the table "{}"': 'テーブル「{1}」',
  'is missing. The operation "{}" requires it': 'ありません。操作「{1}」には必要です',
  'is missing. The operation "{}" requires `row` or `rows`':
    'ありません。操作「{1}」には`row`か`rows`が必要です',
  'is missing. The operation "delete" requires `id` or `filter`':
    'ありません。操作「delete」には`id`か`filter`が必要です',
  'has no effect for the kind "{}". Remove it, or change `kind`':
    '種類「{1}」では効果がありません。削除するか、`kind`を変更してください',
  'requires `byModel`. Add `"byModel": true`, or remove this field':
    '`byModel`が必要です。`"byModel": true`を追加するか、この項目を削除してください',
  'must have the type of the variable, "{}"': '変数の型「{1}」に合わせてください',
  'the node "{}" of type "trigger"': '「trigger」型のステップ「{1}」',
  'must be a cron expression of five fields that matches a date, such as "0 9 * * *" (UTC)':
    '「0 9 * * *」（UTC）のように、実在する日時に一致する5項目のcron式にしてください',
  'is not a valid JSON Schema: {}': '有効なJSONスキーマではありません: {1}',
  'is nested too deeply. Simplify it': '入れ子が深すぎます。単純にしてください',
  'must not contain `{}`. Write the schema in its place':
    '`{1}`は使えません。代わりにスキーマを直接書いてください',
  'has the pattern {}, which is not valid in RE2': 'パターン{1}はRE2では無効です',
  'ends a conversation': '会話を終了',
  'talks with a user': 'ユーザーと会話',
  ['cannot be in the tool "{}": it {}, and tools have no conversation. Remove it, or remove ' +
    '`tool` from the flow "{}"']:
    'ツール「{1}」の中では使えません。{2}しますが、ツールには会話がありません。削除するか、' +
    'フロー「{3}」から`tool`を削除してください',
  waits: '待機',
  'sets the timeout of a conversation': '会話の制限時間を設定',
  'tags a {}': 'タグ付け（`{1}`）を',
  'sends to the current conversation': '現在の会話に送信',
  'sets a variable of a conversation or a user': '会話またはユーザーの変数を設定',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "pt-BR"':
    'BCP 47の言語タグではありません: 「{1}」。「de」や「pt-BR」のようなタグを使ってください',
  'must be written as "{}"': '「{1}」と書いてください',
  'is the key of several cards: "{}". Give each another key':
    '複数のカードのキーです: 「{1}」。カードごとに別のキーを付けてください',
  'belongs to no text of the bot. Correct the key, or remove it':
    'ボットのどのテキストにも対応していません。キーを修正するか、削除してください',
  'has no {{ {} }}, which the original has. Add it':
    '原文にある{{ {1} }}がありません。追加してください',
  'has {{ {} }}, which the original does not have. {}':
    '原文にない{{ {1} }}があります。{2}',
  'Did you mean `{}`?': '`{1}`の間違いではありませんか？',
  'Remove it': '削除してください',
  ['has no translation of {} {}: people with this language read the original. Translate ' +
    'them, or leave them']:
    '{1}件の{2}に翻訳がありません。この言語の人には原文が表示されます。翻訳するか、' +
    'そのままにしてください',
  text: 'テキスト',
  texts: 'テキスト',
  'has {} {} of an earlier original, which people read. Check whether they still fit':
    '以前の原文の{2}が{1}件あり、そのまま表示されます。今も合っているか確認してください',
  translation: '翻訳',
  translations: '翻訳',
  'uses the variable "{}", which is not declared. {}':
    '変数「{1}」は宣言されていません。{2}',
  'Declare it, or correct the name': '宣言するか、名前を修正してください',
  'reads "{}", but a variable of type "{}" has no member "{}". {}':
    '「{1}」を読み取ろうとしていますが、「{2}」型の変数に「{3}」はありません。{4}',
  'Correct the name': '名前を修正してください',
  'is missing. An action of an integration requires it':
    'ありません。連携のアクションには必要です',
  'is not allowed: the action of the bot declares its input. Remove it':
    '使えません。入力はボットのアクションで宣言されています。削除してください',
  'is not allowed: the server runs each call of an integration once. Remove it':
    '使えません。サーバーは連携の呼び出しを1回だけ実行します。削除してください',
  'names the action "{}", whose input schema {}': 'アクション「{1}」の入力スキーマ: {2}',
  'has nothing to search. Add a knowledge base to `knowledgeBases` of the document':
    '検索するものがありません。定義ファイルの`knowledgeBases`にナレッジベースを追加してください',
  'requires `keyColumn` of the table "{}". Add it there, or remove the operation':
    'テーブル「{1}」の`keyColumn`が必要です。テーブルに追加するか、操作を削除してください',
  'is missing. Describe when the model takes this exit, or add `when`':
    'ありません。モデルがこの出口に進む場合を説明するか、`when`を追加してください',
  'requires `description`: only the model gives values. Add it, or remove this field':
    '`description`が必要です。値を渡すのはモデルだけです。追加するか、' +
    'この項目を削除してください',
  'has the name "{}", which models reject. Set a shorter name':
    '名前「{1}」はモデルで使えません。短い名前にしてください',
  'must not have the reserved name "{}". Set another `name`':
    '予約されている名前「{1}」は使えません。別の`name`にしてください',
  'has the name "{}", as {}. Set another `name`, or remove one':
    '名前「{1}」が{2}と重複しています。別の`name`にするか、どちらかを削除してください',
  'The text is not a JavaScript expression: {}':
    'テキストがJavaScriptの式ではありません: {1}',
  'The text in {{ }} is not a JavaScript expression: {}':
    '{{ }}の中がJavaScriptの式ではありません: {1}',
  'names a language without known conventions: "{}". Use one such as "de"':
    '書き方が登録されていない言語です: 「{1}」。「de」のような言語を使ってください',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "en-GB"':
    'BCP 47の言語タグではありません: 「{1}」。「de」や「en-GB」のようなタグを使ってください',
  '"" is empty': '空です',
  '"{}" begins with a comment': '「{1}」はコメントで始まっています',
  '"{}" is incomplete': '「{1}」は途中で終わっています',
  '"{}" fails with "{}"': '「{1}」はエラー「{2}」になります',
  '"{}" is not one expression': '「{1}」は1つの式ではありません',
  'is not a language of the wizard. Use en, de, fr, es, it, pt or nl':
    'ウィザードで使えない言語です。en、de、fr、es、it、pt、nlのいずれかにしてください',
  'is empty. Fill it in': '空です。入力してください',
  'must be a whole number from {} to {}': '{1}から{2}までの整数にしてください',
  'is empty. Add a question': '空です。質問を追加してください',
  'has more than {} questions. Remove some':
    '質問が{1}個を超えています。減らしてください',
  'needs the ids q1, q2 and so on': 'IDはq1、q2のように付けてください',
  'has two questions with the same id': '同じIDの質問が2つあります',
  'needs at least two choices, a line for each':
    '選択肢を1行に1つずつ、2つ以上入力してください',
  'has more than 50 choices. Remove some': '選択肢が50個を超えています。減らしてください',
  'has a choice that {}': '選択肢の1つに問題があります: {1}',
  'has the same choice twice. Remove one': '同じ選択肢が2つあります。1つ削除してください',
  'must be times in their order, such as 09:00-12:00, 13:00-17:00':
    '09:00-12:00, 13:00-17:00のように、時刻を順に入力してください',
  'needs seven days, from Monday to Sunday': '月曜日から日曜日までの7日分が必要です',
  'is empty, and so are all days. Enter the times of a day':
    'すべての曜日が空です。少なくとも1日の時刻を入力してください',
  'is longer than the times of each day': 'どの曜日の営業時間よりも長くなっています',
  'allows more than {} bookings a day. Lower it':
    '1日の予約が{1}件を超えます。数を減らしてください',
  'is not a time zone. Use a name such as Europe/Zurich':
    'タイムゾーンではありません。Europe/Zurichのような名前を使ってください',
  'is missing. Bookings need a table': 'ありません。予約にはテーブルが必要です',
  'is missing. Choose a column': 'ありません。列を選んでください',
  'must be the key column of the table, whose values are unique':
    '値が重複しない、テーブルのキー列にしてください',
  'needs letters from A to Z': 'AからZまでの英字を含めてください',
  'is not a column of the table': 'テーブルの列ではありません',
  'has another type. Choose a column of texts, or a new one':
    '型が合いません。テキストの列か、新しい列を選んでください',
  'is already used for another answer': 'ほかの回答ですでに使われています',
  'would have more than {} columns': '列が{1}個を超えてしまいます',
  'is not a table of the bot': 'ボットのテーブルではありません',
  'has other characters than letters, digits and "_", which flows need':
    'フローで使えるのは、英字、数字、「_」だけの名前です',
  'is missing. Choose the table with the orders':
    'ありません。注文のテーブルを選んでください',
  'must be a column of texts or numbers': 'テキストか数値の列にしてください',
  'is the column with the number. Choose another one':
    '番号の列と同じです。別の列を選んでください',
  'names {{}}, which is not a column. There are {}':
    '{{1}}という列はありません。使える列: {2}',
  'has more than 20 entries. Remove some': '項目が20個を超えています。減らしてください',
  'has an entry of more than 60 characters. Shorten it':
    '60文字を超える項目があります。短くしてください',
  'is empty. Enter words with which the dialogue begins, or a button':
    '空です。対話を始める言葉か、ボタンを入力してください',
  'has more than 60 characters. Shorten it': '60文字を超えています。短くしてください',
  'needs letters or digits': '文字か数字を含めてください',
  'the bot has no secret "{}"; set it first':
    'ボットにシークレット「{1}」がありません。先に設定してください',
  'integration "{}@{}" was not found or cannot be installed in this bot':
    '連携「{1}@{2}」が見つからないか、このボットにはインストールできません',
  'plugin "{}@{}" was not found or cannot be installed in this bot':
    'プラグイン「{1}@{2}」が見つからないか、このボットにはインストールできません',
  'the bot has no knowledge base "{}": create it, or deploy with the command line':
    'ボットにナレッジベース「{1}」がありません。作成するか、コマンドラインでデプロイしてください',
  'must have the property "flows"': 'プロパティ「flows」が必要です',
}
