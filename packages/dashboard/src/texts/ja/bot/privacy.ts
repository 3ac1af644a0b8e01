import type { RetentionKind } from '@botstead/contract'
import type { privacy as English } from '../../en/bot/privacy.ts'
import { amount } from '../amount.ts'

export const privacy: typeof English = {
  title: 'プライバシー',
  retention: '保持期間',
  retentionHint:
    'サーバーは、ここで指定した日数が過ぎたこのボットのデータを削除します。空欄の場合は、サーバー環境の上限まで保持します。',
  days: (days: number) => amount(days, '日'),
  inDays: (kind: string) => `${kind}（日数）`,
  limit: (days: number) => `このサーバー環境では最大${amount(days, '日')}`,
  noLimit: '無期限',
  save: '保存…',
  saveTitle: '保持期間を変更',
  saveNow: '保存して削除',
  nothing:
    '現在、この期間を過ぎたデータはありません。期間を過ぎたデータから、サーバーが削除します。',
  deletes: 'サーバーは次のデータをバックグラウンドで今すぐ削除します:',
  inFlight:
    '使用中のデータは残ります（待機中の配信、未完了の引き継ぎ、実行中のワークフロー、予約メッセージ）。',
  kinds: {
    conversations: '会話',
    messages: 'メッセージ',
    events: 'イベント',
    users: '会話のないユーザー',
    files: 'ユーザーのファイル',
    logs: 'ログの行',
    traces: 'トレース',
    issues: '問題',
    deadLetters: '失敗した配信',
    webhookRequests: '記録したWebhookリクエスト',
    recordings: 'モデル呼び出しの記録内容',
    tableRows: 'ユーザーのテーブル行',
  },
  hints: {
    conversations: 'メッセージ、イベント、状態を含む。最後の活動から数えます',
    messages: '作成から数えます。継続中の会話も対象です',
    events: '作成から数えます。継続中の会話も対象です',
    users: '状態を含む。最後の変更から数えます',
    files: '最後の変更から数えます',
    traces: 'メッセージごとのボットの動作、計測値、アクションの実行',
    issues: '最後のイベントから数えます',
    deadLetters: 'サーバーが配信できなかったイベントとメッセージ',
    recordings: 'サーバーが記録している場合。同じリクエストの最後の呼び出しから数えます',
    tableRows:
      'ユーザーIDの列にユーザーが入っている行。最後の変更から数えます。ほかの行は残ります',
  } as Partial<Record<RetentionKind, string>>,
  redaction: {
    title: 'マスキング',
    hint:
      'サーバーは、新しいデータの一致した部分を置き換えます。「保存データ」は、相手のメッセージ、イベント、引き継ぎ、' +
      'フィードバックのコメント、訪問者のデータです。ボットにも置き換え後のテキストが届きます。「ログ」はトレースと問題も' +
      '含みます。「モデル」はプロンプトです。独自のパターンの処理に時間がかかりすぎるテキストは全体を置き換え、「問題」に' +
      'パターン名を記録します。',
    storageEffect:
      'ボットには置き換え後のテキストが届くため、ボットがこの種のデータを尋ねても、回答を得られなくなります。',
    asksFor: (questions: string[]) =>
      `このボットが尋ねている質問: ${questions.map((question) => `「${question}」`).join('')}。`,
    installation: (kinds: string[]) =>
      `このサーバー環境の全ボットに適用: ${kinds.join('、')}`,
    kinds: {
      email: 'メールアドレス',
      phone: '電話番号',
      card: 'カード番号',
      iban: 'IBAN',
      custom: '独自のパターン',
    },
    places: { storage: '保存データ', logs: 'ログ', models: 'モデル' },
    where: '対象',
    pattern: 'パターン',
    replacement: '置き換え後',
    add: 'パターンを追加',
    remove: '削除',
    try: 'テキストを試す',
    tryHint: 'テキストは保存されません。',
    show: '一致を表示',
    noMatch: '一致する部分はありません。',
  },
  count: '削除されるデータを数える',
  erasures: {
    title: '消去',
    hint:
      '人のデータを消去するたびに、サーバーが署名した消去証明書が作成されます。消去したことの証明になり、個人データは' +
      '含みません。',
    none: '人のデータはまだ消去されていません。',
    erased: '消去:',
    running: '実行中、開始:',
    verify: '検証',
    verifyOf: (user: string) => `${user}の消去証明書を検証`,
    verifyFile: '消去証明書のファイルを検証',
    download: 'ダウンロード',
    downloadOf: (user: string) => `${user}の消去証明書をダウンロード`,
    valid: '有効: このサーバーが署名した消去証明書で、変更されていません。',
    of: (user: string) => `${user}の消去されたデータ:`,
    reasons: {
      MALFORMED: '無効: 消去証明書ではありません。',
      MODIFIED: '無効: 署名後に変更されています。',
      OTHER_SIGNER: '無効: 別のサーバーが署名したものです。',
    },
  },
  people: '特定の人のデータ',
  peopleHint:
    'ユーザーを開くと、その人のすべてのデータをエクスポートまたは消去できます。',
  peopleReadOnly:
    'ユーザーを開くと、その人のデータを確認できます。ワークスペースの開発者、マネージャー、管理者、オーナーは、すべての' +
    'データをエクスポートまたは消去できます。',
  toUsers: 'ユーザーを選択',
  byMessage: (link: string) =>
    '訪問者には名前がないことがよくあります。メールアドレスなど、メッセージの内容から人を探す場合は、' +
    `「${link}」を使ってください。`,
  toMessages: 'メッセージを検索',
}
