import type { logs as English } from '../../en/bot/logs.ts'

export const logs: typeof English = {
  title: 'ログ',
  search: 'テキストを検索',
  level: 'レベル',
  levels: {
    all: 'すべて',
    debug: 'デバッグ',
    info: '情報',
    warn: '警告',
    error: 'エラー',
  },
  conversation: '会話ID',
  conversationHint: 'conv_…',
  range: '期間',
  ranges: { hour: '過去1時間', day: '過去1日', week: '過去1週間', all: 'すべて' },
  empty: 'ログはありません',
  emptyHint: 'ボットが出力したログがここに表示されます。',
  live: '新しい行は一番上に表示されます。',
  time: '日時',
  line: '内容',
  trace: 'トレース',
}
