import type { chat as English } from '../../en/bot/chat.ts'

export const chat: typeof English = {
  title: 'Webチャット',
  none: 'このボットにWebチャットはありません',
  noneHint:
    '連携「webchat」または「chat」をインストールすると、ボットと話せるようになります。',
  integrations: '連携',
  share: '共有',
  link: 'チャットページのアドレス',
  open: '開く',
  snippet: 'Webサイトに設置',
  snippetHint: '</body>の前に次の行を挿入してください。',
  signedShareHint:
    '</body>の前に次の行を、訪問者のユーザーキーを入れて挿入してください。',
  look: '外観',
  lookHint: 'チャットページと、Webサイトのボタンに使われます。',
  name: '名前',
  avatarUrl: '画像',
  avatarHint: '正方形の画像のアドレス。',
  notAddress: 'https://またはhttp://で始まるアドレスを入力してください',
  noPicture: 'このアドレスに画像が見つかりません。',
  color: '色',
  radius: '角の丸み（ピクセル）',
  theme: 'テーマ',
  themes: { system: 'システム', light: 'ライト', dark: 'ダーク' },
  position: 'ボタンの位置',
  positions: { right: '右', left: '左' },
  greeting: 'あいさつ',
  greetingHint: '最初のメッセージの前に表示されます。Markdownが使えます。',
  suggestions: '質問の候補',
  suggestionsHint: '1行に1つ、6つまで',
  tooManySuggestions: '質問は6つまでにしてください。',
  longSuggestion: (line: string) =>
    `「${line.slice(0, 40)}…」を150文字以内にしてください。`,
  language: '言語',
  visitorsLanguage: '訪問者の言語',
  languages: {
    ar: 'العربية',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fr: 'Français',
    pt: 'Português',
  },
  uploads: '訪問者のファイル送信を許可',
  originsExample: 'https://www.example.org',
  origins: '許可するWebサイト',
  originsHint:
    '1行に1つ。ここにあるWebサイトのページだけがチャットを表示できます。空欄の場合は、どのWebサイトでも表示できます。',
  completedOrigins: (origins: string[]) =>
    `次のように保存されます: ${origins.join('、')}`,
  notOrigin: (line: string, origin: string) =>
    `「${line}」はWebサイトのアドレスではありません。パスを付けずに${origin}と書いてください。`,
  preview: 'プレビュー',
  previewShows: 'プレビューの内容',
  previews: { start: '開始画面', conversation: '会話' },
  signed: 'サインインした訪問者',
  signedOff:
    '訪問者は匿名です。ユーザーキーを使うと、Webサイトにサインインした人だけがチャットを使えます。どの端末でも、自分の' +
    '会話の続きを表示できます。',
  signedOn: 'Webサイトのユーザーキーを持つ訪問者だけがチャットを使えます。',
  requireKeys: 'ユーザーキーを必須にする',
  requireKeysEffect:
    '匿名の訪問者は、チャットページのアドレスからも含め、チャットを使えなくなります。Webサイトがユーザーキーを送る必要が' +
    'あります。',
  allowAnonymous: '匿名の訪問者を許可',
  allowAnonymousEffect: 'Webサイトが署名したユーザーキーは無効になります。',
  encryptionKey:
    '暗号化キー。ユーザーキーの署名に使います。Webサイトのサーバーに保管してください。',
  signHint: 'Webサイトのサーバーで、サインイン中の人のユーザーキーに署名します:',
  signedSnippet: 'ページの行にキーを追加します:',
  saved: 'チャットの設定を保存しました',
}
