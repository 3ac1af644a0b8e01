import type { wizards as English } from '../../../en/bot/studio/wizards.ts'
import { amount } from '../../amount.ts'

/** The wizards of dialogues. */
export const wizards: typeof English = {
  title: '対話を追加',
  choose:
    'ボットにさせたいことを選んでください。追加した後は、ほかのフローと同じように編集できます。',
  language: 'テキストの言語',
  kinds: {
    contact: {
      title: 'お問い合わせフォーム',
      hint: '名前、メールアドレス、用件を尋ねて保存し、担当者に知らせます。',
    },
    booking: {
      title: '空き時間の予約',
      hint: '空き時間を案内して予約を受け付けます。後から変更や取り消しもできます。',
    },
    order: {
      title: '注文状況',
      hint: 'テーブルから注文番号で注文を探し、状況を伝えます。',
    },
    rating: { title: '満足度', hint: '1〜5の評価とコメントを尋ねます。' },
    own: {
      title: 'オリジナルの質問',
      hint: '知りたいことを尋ねて、回答を保存します。',
    },
  },
  back: '別の対話を選ぶ',
  create: '下書きに追加',
  faults: (count: number) => `修正が必要な項目${amount(count)}`,
  name: '対話の名前',
  // Questions.
  questions: '質問',
  question: (number: number) => `質問${number}`,
  answerName: '短い名前',
  answerNameHint: 'テーブルと、訪問者に見せる確認内容で使います。',
  ask: '質問文',
  kind: '回答の種類',
  choices: '選択肢（1行に1つ）',
  isOptional: '訪問者はスキップできる',
  add: '質問を追加',
  presets: {
    name: '名前',
    email: 'メールアドレス',
    phone: '電話番号',
    date: '日付',
    message: 'メッセージ',
  },
  isConfirmed: '保存する前に、回答が正しいかどうかを確認する',
  closing: '最後のメッセージ',
  tellsPerson: 'その後、会話を担当者に引き継ぐ',
  tellsPersonHint:
    'メンバーの受信トレイに、要約と一緒に表示されます。引き継ぎが終わるまで、ボットは応答しません。',
  // Bookings.
  hours: '営業時間',
  hoursHint: '例: 09:00-12:00, 13:00-17:00。予約を受け付けない曜日は空欄にしてください。',
  days: ['月曜日', '火曜日', '水曜日', '木曜日', '金曜日', '土曜日', '日曜日'],
  minutes: '1回の予約の長さ（分）',
  capacity: '同時に受け付ける予約数',
  noticeHours: '予約の締め切り（何時間前まで）',
  daysAhead: '予約の受付開始（何日前から）',
  timezone: 'タイムゾーン',
  timezoneHint: 'ボットのタイムゾーンになります。ほかのフローの日付にも使われます。',
  timezoneKnown: (zone: string) => `時刻はボットのタイムゾーン（${zone}）です。`,
  // Tables.
  table: 'テーブル',
  storedIn: '回答の保存先',
  ordersIn: '注文のテーブル',
  newTable: '新しいテーブル',
  noTable: 'テーブルなし',
  tableName: '新しいテーブルの名前',
  newColumns: (columns: string) =>
    `公開後、最初の訪問者がこの対話を使ったときに、次の列で作成されます: ${columns}。`,
  columnFor: (name: string) => `「${name}」の列`,
  newColumn: '新しい列',
  notStored: '保存しない',
  keyHint: '予約には、キー列がテキストのテーブルが必要です。それ以外は表示されません。',
  parts: {
    slot: '時間枠（重複なし）',
    time: '時刻（UTC）',
    local: 'ボットのタイムゾーンの時刻',
    code: '予約番号',
    status: '状況',
    rating: '評価',
    comment: 'コメント',
  } as Record<string, string>,
  numberColumn: '注文番号の列',
  checkColumn: '本人確認に使う2つ目の列（メールアドレスなど）',
  checkHint: '指定しない場合、番号を知っている人は誰でも状況を確認できます。',
  noCheck: 'なし',
  sentence: '回答文',
  sentenceHint: (columns: string) =>
    `波かっこの中の列名は、その値に置き換わります: ${columns}`,
  offersPerson: '注文が見つからないときに担当者を案内する',
  // Ratings.
  rating: '質問文',
  asksComment: 'コメントを尋ねる（スキップ可）',
  lowUpTo: '担当者の案内',
  low: ['しない', '1のとき', '1か2のとき', '1〜3のとき', '1〜4のとき'],
  afterHandoff: '担当者が会話を終了したときにも尋ねる',
  // Ways into it.
  reach: '訪問者が対話を始める方法',
  words: '開始のきっかけになる言葉',
  wordsHint: 'コンマ（,）で区切ります。いずれかを含むメッセージで対話が始まります。',
  button: 'ボタン',
  buttonHint: '空欄の場合、ボタンは付きません。',
  greeting: 'ボタンの場所',
  below: (text: string) => `「${text}」の下`,
  newGreeting: '会話の開始時の新しいあいさつの中',
  greetingText: 'ボタンの上のテキスト',
  greetingTextHint: 'あいさつにまだボタンがない場合に使います。',
  // What it makes.
  makes: '下書きに追加されるもの',
  makesFlow: (name: string, steps: number) =>
    `フロー「${name}」（ステップ${amount(steps)}）`,
  makesTable: (name: string) => `テーブル「${name}」`,
  makesColumn: (table: string) => `テーブル「${table}」の列`,
  makesTrigger: (name: string) => `トリガー「${name}」`,
  makesButton: (flow: string) => `ボタン（${flow}）`,
  makesTimezone: (zone: string) => `ボットのタイムゾーン（${zone}）`,
}
