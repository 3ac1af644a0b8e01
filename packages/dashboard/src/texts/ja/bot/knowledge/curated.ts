import type { CuratedMatch } from '@botstead/contract'
import type {
  checks as EnglishChecks,
  curated as EnglishCurated,
  unanswered as EnglishUnanswered,
} from '../../../en/bot/knowledge/curated.ts'
import { amount, thousands } from '../../amount.ts'

const kinds: Record<CuratedMatch['kind'], string> = {
  equal: '同じ言葉',
  words: '同じ言葉の別の形',
  misspelt: '表記の誤りを含む同じ言葉',
}

export const curated: typeof EnglishCurated = {
  title: '回答',
  hint:
    'ここにある質問をされると、ボットは登録された回答をそのまま送ります。ドキュメントやモデルより優先されます。言葉の' +
    '活用や誤字には対応していますが、別の言い方には対応していません。その場合は、回答に質問を追加してください。',
  empty: '回答はまだありません',
  emptyHint: 'よくある質問への回答を書いてください。',
  emptyReader: 'まだ回答が登録されていません。',
  noMatch: '一致する回答はありません',
  search: '検索',
  searchHint: '質問または回答の言葉',
  new: '新しい回答',
  newTitle: '新しい回答',
  edit: '回答を変更',
  editOne: (question: string) => `「${question}」への回答を変更`,
  deleteOne: (question: string) => `「${question}」への回答を削除`,
  deleteText: 'ボットはこの回答を送らなくなります。元に戻せません。',
  delete: '削除',
  deleted: '回答を削除しました',
  saved: '回答を保存しました。ボットは今からこの回答を使います',
  questions: '質問',
  questionsHint:
    '1行に1つ、実際の尋ね方で書いてください。言葉の活用や誤字には対応しています。同じ質問の別の言い方は、別の行に' +
    '書いてください（20行まで）。',
  tooMany: '1つの回答に登録できる質問は20個までです。',
  tooLong: '質問は300文字までです。',
  answer: '回答',
  more: 'ボタン、画像、言語、期間',
  buttons: '回答の下のボタン',
  buttonsHint:
    '1行に1つ。クリックすると、ボタンのテキストが送られます。別のテキストを送るには、次のように書きます: はい = 注文します',
  picture: '画像のアドレス',
  pictureHint: '回答の前に送られます。https://で始めてください',
  language: '質問の言語',
  languageHint: '空欄の場合、サーバーが言葉から判断します。',
  base: '対象',
  allBases: 'すべてのナレッジベース',
  validFrom: '開始日',
  validTo: '終了日',
  period: '終了日が開始日より前になっています。',
  changed: '変更日時',
  notNow: '現在は使われません',
  moreQuestions: (count: number) => `ほか質問${amount(count)}`,
  export: 'CSVでエクスポート',
  import: 'CSVからインポート',
  importText:
    '「questions」列と「answer」列のある表です。1つの回答に質問が複数ある場合は、同じセルの中で改行します。すべての列は' +
    'エクスポートしたファイルで確認できます。「id」のある行は、そのIDの回答を変更します。',
  importFile: 'CSVファイルを選択',
  imported: (created: number, updated: number, unchanged: number) =>
    `追加${amount(created)}、変更${amount(updated)}、変更なし${amount(unchanged)}。`,
  rejected: (count: number) => `${amount(count, '行')}をインポートできませんでした:`,
  rejectedRow: ({ line, message }) => `${thousands(line)}行目: ${message}`,
  file: 'answers.csv',
  found: 'ボットは登録した回答を送ります',
  foundHint: ({ question, kind }: CuratedMatch) =>
    `ドキュメントは検索しません。質問「${question}」と一致しました（${kinds[kind]}）。`,
  fromConversation: '回答として保存',
  fromConversationOne: (time: string) => `回答として保存: ${time}のメッセージ`,
}

export const unanswered: typeof EnglishUnanswered = {
  title: '未回答',
  hint:
    'ボットが答えられなかった質問と、低く評価された回答です。回答や新しいドキュメントで答えられるようになると、質問は' +
    '一覧から消えます。ただし、メールでの回答を待っている人がいる間は残ります。',
  empty: '改善が必要な質問はありません',
  emptyHint: 'ボットが答えられない質問がここに表示されます。',
  question: '質問',
  count: '質問回数',
  times: (count: number) => amount(count, '回'),
  rated: (count: number) => `低評価${amount(count)}`,
  last: '最終',
  best: '最も近い抜粋',
  score: (score: string, minScore: number, isEnough: boolean) =>
    isEnough ? `${score}（十分）` : `${score}（${minScore}以上が必要）`,
  read: (name: string) => `「${name}」の抜粋を読む`,
  readTitle: '最も近い抜粋',
  usePassage: 'この抜粋を使う',
  usePassageHint: 'ボットが見つけた抜粋です。短くして回答に使えます:',
  answered: '回答可能になりました',
  answeredHint: '次にこの質問をされると、ボットが答えます。',
  wantsMail: 'メールでの回答を希望:',
  mailed: 'メールで回答済みにする',
  mailedDone: 'メールでの回答の依頼を削除しました',
  noPassage: '該当する抜粋はありません',
  addAnswer: '回答を追加',
  addAnswerTo: (question: string) => `「${question}」への回答を追加`,
  others: (question: string) => `「${question}」のその他の操作`,
  addDocument: 'ドキュメントを追加',
  dismiss: '質問ではない',
  dismissed: '質問を一覧から削除しました',
  open: '会話を開く',
  explain: '検索結果を確認',
  wordings: (count: number) => `ほかの言い方${amount(count)}`,
}

export const checks: typeof EnglishChecks = {
  title: 'チェック',
  hint:
    '質問と、その答えがあるべきドキュメントまたはテキストの一覧です。ドキュメントや回答を変更したらチェックを実行して' +
    'ください。数秒で終わり、メッセージは送信されません。改善した質問と悪化した質問がわかります。',
  empty: 'チェックする質問はまだありません',
  emptyHint:
    'ボットが必ず答えるべき質問を、答えのあるドキュメントまたは回答の一部と一緒に追加してください。',
  emptyReader: 'まだ質問が追加されていません。',
  add: '質問を追加',
  run: 'チェックを実行',
  export: 'エクスポート',
  import: 'インポート',
  importText:
    '「エクスポート」で作成した、または手で書いたYAMLかJSONのファイルから質問を追加します。すでにある質問は' +
    '変わりません。同じファイルを「botstead test」でも実行できます。',
  importFile: 'チェックのファイル',
  imported: (created: number, unchanged: number) =>
    `追加${amount(created)}、変更なし${amount(unchanged)}。`,
  tooLarge: 'ファイルが2 MBを超えています',
  invalid: (file: string, line: number, message: string) =>
    `${file}、${line}行目: ${message}`,
  file: 'knowledge.yaml',
  question: '質問',
  expectedFile: '答えのあるドキュメント',
  expectedFileHint: 'ファイル名。例: returns.md',
  expectedText: '回答の一部',
  expectedTextHint:
    '例: 30日以内。ドキュメント、回答の一部、またはその両方を入力してください。',
  expected: '期待する内容',
  quoted: (text: string) => `「${text}」`,
  result: '結果',
  found: '検索結果',
  nothing: 'なし',
  curatedAnswer: '登録した回答',
  notRun: '未実行',
  passed: '正解',
  failed: '不正解',
  better: '前回より改善',
  worse: '前回より悪化',
  summary: (passed: number, failed: number, better: number, worse: number) => {
    const changes = [
      better > 0 && `改善${amount(better)}`,
      worse > 0 && `悪化${amount(worse)}`,
    ]
    const compared = changes.filter(Boolean).join('、')
    const right = `${amount(passed + failed, '問')}中${amount(passed, '問')}が正解。`
    return compared ? `${right}前回との比較: ${compared}。` : right
  },
  delete: '削除',
  edit: '質問を編集',
  editOne: (question: string) => `「${question}」を編集`,
  deleteOne: (question: string) => `「${question}」を削除`,
}
