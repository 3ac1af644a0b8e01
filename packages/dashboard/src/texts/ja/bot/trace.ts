import type { ModelCall } from '@botstead/contract'
import type { trace as English } from '../../en/bot/trace.ts'
import { amount, thousands } from '../amount.ts'

type ModelUse = Pick<ModelCall, 'inputTokens' | 'outputTokens' | 'cost' | 'cached'>

export const trace: typeof English = {
  title: 'トレース',
  none: 'このメッセージのきっかけになったユーザーのイベントはありません。',
  event: 'イベント',
  statuses: {
    pending: '処理待ち',
    processed: '処理済み',
    ignored: '無視',
    failed: '失敗',
    scheduled: '予約済み',
    canceled: 'キャンセル済み',
  },
  status: 'ステータス',
  run: (attempts: number, ms: number) =>
    attempts === 1 ? `${ms}ミリ秒で処理` : `試行${attempts}: ${ms}ミリ秒`,
  pending: '未処理',
  failedAttempts: '失敗した試行',
  attempt: (number: number) => `試行${number}`,
  attemptFailed: (number: number) => `試行${number}が失敗`,
  earlier: '再配信の前',
  answeredBy: (number: number | undefined, name: string) =>
    `処理したバージョン: ${number === undefined ? name : `#${number} ${name}`}`,
  levels: { debug: 'デバッグ', info: 'ログ', warn: '警告', error: 'エラー' } as Record<
    string,
    string
  >,
  innerFrames: (count: number) => `サーバーとNodeのフレーム${amount(count)}`,
  hookFailed: 'フックが失敗しました',
  codeFailed: 'コードが失敗しました',
  timeline: 'タイムライン',
  timelineEmpty: 'コードは何も呼び出さず、メッセージも送信しませんでした。',
  kinds: {
    call: '呼び出し',
    change: '状態',
    action: 'アクション',
    model: 'モデル',
    message: '送信',
    event: 'イベント',
  },
  failed: (status: number) => `失敗（${status}）`,
  change: (from: string, to: string) => `${from} → ${to}`,
  noValue: 'なし',
  cached: 'キャッシュ',
  modelUse: ({ inputTokens, outputTokens, cost, cached }: ModelUse) =>
    `${inputTokens} + ${outputTokens}トークン、$${Number(cost.toPrecision(3))}${
      cached ? '、キャッシュ' : ''
    }`,
  steps: 'ステップ',
  calls: '呼び出し',
  models: 'モデル',
  messages: 'メッセージ',
  events: 'イベント',
  logs: 'ログの行',
  logsOf: (attempt: number) => `試行${attempt}のログの行`,
  errors: 'エラー',
  error: 'エラー',
  ms: (ms: number) => `${thousands(ms)}ミリ秒`,
  at: (at: number, ms?: number) =>
    ms === undefined
      ? `${thousands(at)}ミリ秒後`
      : `${thousands(at)}ミリ秒後、所要${thousands(ms)}ミリ秒`,
  stepNames: {
    node: 'ノード',
    card: 'カード',
    hook: 'フック',
    said: '送信',
    heard: '回答',
    call: '呼び出し',
    model: 'モデル',
    tool: 'ツール',
    set: '変数',
    note: 'メモ',
  } as Record<string, string>,
  json: 'トレースのJSON',
  details: 'プログラマー向けの詳細',
  names: {
    message_created: 'メッセージを受信',
    message_updated: 'メッセージを変更',
    message_deleted: 'メッセージを削除',
    conversation_started: '会話を開始',
    participant_added: '参加者を追加',
    state_expired: '状態が期限切れ',
    child_workflow_finished: 'ワークフローの一部が完了',
  } as Record<string, string>,
  answers: {
    captured: '質問の回答として受け付けました',
    again: '質問の回答ではなかったため、ボットがもう一度尋ねました',
    failed: '質問の回答ではなかったため、フローが先に進みました',
    cancelled: 'ユーザーがキャンセルしました',
  } as Record<string, string>,
  curatedAnswer: '登録した回答を送信しました:',
  found: '見つかった抜粋',
  explainSearch: 'この検索の説明',
  noPassages: '抜粋は見つかりませんでした。',
  nonePassed: (score: string, minScore: number) =>
    `ナレッジベースの最低スコア${minScore}に達した抜粋はありません。最高のスコアは${score}です。`,
  passage: (
    name: string,
    page: number | undefined,
    score: string,
    minScore: number | null,
  ) =>
    `${name}${page === undefined ? '' : `、${page}ページ`}（スコア${score}${
      minScore === null ? '' : `、最低スコア${minScore}未満のため不使用`
    }）`,
  left: (count: number) => `ほか${amount(count)}のステップ`,
}
