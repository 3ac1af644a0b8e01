import type { firstSteps as English } from '../../en/bot/first-steps.ts'

export const firstSteps: typeof English = {
  title: 'スタートガイド',
  count: (done: number, all: number) => `${all}件中${done}件完了`,
  done: '完了:',
  dismiss: '今後表示しない',
  changeFlows: 'ほかのメッセージを「フロー」で変更',
  steps: {
    talk: { title: 'ボットと話す', hint: '訪問者になったつもりで話しかけてみましょう。' },
    document: {
      title: 'ドキュメントを追加',
      hint: 'ボットがファイルとWebサイトの内容から質問に答えます。',
    },
    greeting: {
      title: 'あいさつを設定',
      hint: '訪問者が最初のメッセージを書く前に表示されます。',
    },
    website: {
      title: 'ボットをWebサイトに設置',
      hint: 'コードをページに貼り付け、「許可するWebサイト」にサイトを入力します。',
    },
    invite: {
      title: 'メンバーを招待',
      hint: '受信トレイで応対したり、一緒にボットを編集したりできます。',
    },
    channel: {
      title: 'チャネルを接続',
      hint: 'WhatsApp、Telegram、メールなどからボットを使えるようになります。',
    },
    handoff: {
      title: 'ボットに代わって応対',
      hint: '会話を開いて「引き継ぐ」を押し、終わったらボットに戻します。',
    },
  },
}
