import type { personalData as English } from '../../en/bot/personal-data.ts'
import { amount } from '../amount.ts'

export const personalData: typeof English = {
  title: '個人データ',
  hint:
    'この人についてサーバーが保存しているすべてのデータです。消去すると、「ユーザーを削除」では残るログ、トレース、' +
    'テーブルの行も消えます。',
  export: 'データをエクスポート',
  erase: '消去…',
  eraseTitle: 'この人のデータを消去',
  eraseNow: '消去',
  eraseHint:
    '次のデータをすべての場所から消去します。消去中に届いたデータも対象です。複数人の会話にある、ほかの人のメッセージは' +
    '残ります。元に戻せません。',
  confirmation: '消去',
  wholePerson: (count: number) => `同一人物のほかのユーザー${amount(count, '人')}も消去`,
  wholePersonHint: 'オフの場合は、先にこのユーザーを分離します。',
  unsearchedTables:
    'ユーザーIDの列が指定されていないため、次のテーブルは対象外です。列のメニューで指定するか、行を直接確認してください:',
  backups: '次のバックアップには、この人のデータが残っています:',
  erasing: '消去中…',
  erasingHint: 'このページを離れても、サーバーは処理を続けます。',
  erased: 'データを消去しました',
  erasedHint:
    '消去証明書を保管してください。消去したことの証明になり、バックアップを復元した後に同じ消去を行うときにも使います。' +
    '証明書の一覧と検証は「プライバシー」ページにあります。',
  returns:
    'この人がもう一度ボットにメッセージを送ると、新しいユーザーが作成されます。消去したデータは戻りません。',
  download: '証明書をダウンロード',
  kinds: {
    addresses: 'アドレス',
    recordings: 'モデル呼び出しの記録内容',
    traces: 'トレース',
    deliveryAttempts: '失敗した配信の試行',
    deadLetters: '失敗した配信',
    actionRuns: 'アクションの実行',
    logs: 'ログの行',
    observations: 'フローのトレースとテキスト、ボットのコードによる計測値',
    issueEvents: '問題のイベント',
    issues: '問題（ほかの人のイベントがないもの）',
    modelCalls: 'モデルの呼び出し',
    notifications: '連携の通知',
    webhookRequests: '連携の記録済みWebhookリクエスト',
    storedResponses: '再送リクエスト用に保存した応答',
    rateCounters: 'レート制限のカウンター',
    feedback: 'フィードバック',
    notes: 'メモ',
    handoffs: '引き継ぎ',
    broadcasts: '一斉送信の送信先',
    optOuts: '一斉送信の受信停止',
    scheduledMessages: '予約メッセージ',
    states: '状態',
    workflows: 'ワークフロー',
    files: 'ファイル',
    tableRows: 'テーブルの行',
    signals: 'チャットの入力中表示など',
    events: 'イベント',
    messages: 'メッセージ',
    conversations: '会話（ほかの人がいないもの）',
    users: 'ユーザー',
  },
}
