import type { issues as English } from '../../en/bot/issues.ts'
import { amount } from '../amount.ts'

export const issues: typeof English = {
  title: '問題',
  status: 'ステータス',
  statuses: { open: '未解決', resolved: '解決済み', muted: 'ミュート' },
  empty: '問題はありません',
  emptyHint: 'ボットのエラーが、原因ごとに1件ずつここに表示されます。',
  issue: '問題',
  count: '発生回数',
  seen: '最終発生',
  first: '初回発生',
  resolve: '解決済みにする',
  mute: 'ミュート',
  reopen: '未解決に戻す',
  changed: (status: string) => `問題のステータスを「${status}」に変更しました`,
  occurrences: '最近の発生',
  resolvedByRedelivery:
    'サーバーが解決済みにしました。すべてのイベントが再配信され、処理されました。',
  resolveHint:
    '解決済みの問題は、再び発生すると未解決に戻ります。ミュートした問題は、ミュートのままです。',
  explanations: {
    event_refused:
      'ボットがイベントに400〜499のステータスで応答したため、サーバーは再試行しません。`@botpress/sdk`のボットは、' +
      'ハンドラーがエラーを投げるとこのように応答します。原因を直してから、「配信」ページでイベントを再配信してください。',
    register_failed:
      'サーバーはデプロイのたびに、ボットの準備のため、操作`register`でハンドラーを呼び出します。この呼び出しが' +
      '失敗しました。',
    integration_not_registered:
      'サーバーは、連携のインストール、設定の変更、デプロイのたびに、連携の準備（Webhookの設定など）のため、' +
      '操作`register`でハンドラーを呼び出します。この呼び出しが失敗しました。',
  } as Record<string, string>,
  trace: 'トレース',
  logged: '最後に発生したときのログのエラー',
  conversation: '会話',
  user: 'ユーザー',
  stale: '最後のデプロイより前',
  staleHint: (deployedAt: string) =>
    `${deployedAt}のデプロイ以降、発生していない問題があります。`,
  resolveStale: '解決済みにする',
  resolveStaleHint: '再び発生した問題は、未解決に戻ります。',
  resolvedStale: (count: number) => `${amount(count)}の問題を解決済みにしました`,
}
