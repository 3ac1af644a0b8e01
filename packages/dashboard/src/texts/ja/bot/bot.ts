import type { bot as English } from '../../en/bot/bot.ts'
import { amount } from '../amount.ts'

export const bot: typeof English = {
  range: '期間',
  newUsers: '新規ユーザー',
  returning: (count: number) => `リピーター${amount(count, '人')}。メンバーは含みません`,
  sessions: 'セッション',
  sessionsHint: 'メンバーも含みます',
  messages: 'メッセージ',
  split: (user: number, bot: number) =>
    `受信${amount(user)}、送信${amount(bot)}。メンバーも含みます`,
  failures: '失敗',
  failuresHint: 'この期間に失敗し、再配信されていないイベントとメッセージ',
  cost: 'モデルの費用',
  calls: (count: number) => `呼び出し${amount(count, '回')}（金額は米ドル）`,
  perDay: '日別メッセージ数',
  received: '受信',
  sent: '送信',
  noMessages: 'この期間のメッセージはありません',
  issues: '未解決の問題',
  noIssues: '未解決の問題はありません',
  occurrences: (count: number) => amount(count, '回'),
  deployment: 'デプロイ',
  deployedAt: 'デプロイ日時:',
  loadError: 'コードを読み込めません',
  notDeployed: 'このボットにはまだコードがありません',
  notDeployedHint: (page: string) =>
    `「${page}」ページでファイルまたはバージョンをデプロイしてください。`,
  notDeployedViewer: (page: string) =>
    `ボットを変更できるメンバーが「${page}」ページでデプロイします。`,
  atUrl: 'このボットは外部のURLで動いています。',
  allIssues: 'すべての問題',
  allVersions: 'すべてのバージョン',
  deployments: 'デプロイ',
  noVersions: 'バージョンはまだありません',
  isRunning: '稼働中',
  handoffs: {
    title: '引き継ぎ',
    inbox: '受信トレイ',
    firstAnswer: '担当者の最初の返信まで',
    solution: '解決まで',
    return: 'ボットの再開まで',
    none: 'なし',
    within: (duration: string, count: number) =>
      `${amount(count)}の中央値。95%は${duration}以内`,
  },
}
