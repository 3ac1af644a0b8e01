import type { emulator as English } from '../../../en/bot/studio/emulator.ts'

export const emulator: typeof English = {
  title: 'ボットを試す',
  name: 'メンバー',
  newConversation: '新しい会話',
  noChat: 'このボットに連携「chat」がインストールされていません',
  noChatHint: 'ここからのメッセージは、この連携を通してボットに届きます。',
  installChat: 'chatをインストール',
  placeholder: 'メッセージを入力',
  message: 'メッセージ',
  send: '送信',
  attach: 'ファイルを添付',
  empty: '話しかけてみましょう',
  emptyHint: 'ボットの回答がここに表示されます。',
  older: '以前のメッセージ',
  typing: 'ボットが入力中',
  sending: '送信中…',
  answering: 'ボットが回答中…',
  nextAttempt: (number: number, max: number, seconds: number) =>
    seconds > 0
      ? `ボットが失敗しました。${seconds}秒後に再試行します（${number}/${max}回目）…`
      : `試行中（${number}/${max}回目）…`,
  traceOf: 'この回答の理由',
  good: '良い回答',
  bad: '良くない回答',
  rated: '改善が必要な質問の一覧に追加しました:',
  failed: 'ボットがこのメッセージの処理に失敗しました',
  failedElse: 'ボットがこの会話のイベントの処理に失敗しました',
  traceOfFailure: '理由',
  notSent: '未送信',
  resend: '再送信',
  log: '会話',
  offline: '再接続中…',
}
