import type { search as English } from '../en/search.ts'
import { amount } from './amount.ts'

export const search: typeof English = {
  title: '検索',
  label: 'ページ、ボット、ユーザー、会話を検索',
  labelOfWorkspace: 'ページとボットを検索',
  findBot: 'ボットを検索',
  keys: '↑↓で選択、Enterで開く、Escで閉じる',
  searching: '検索中…',
  found: (count: number) => (count === 0 ? '見つかりません' : `検索結果${amount(count)}`),
  pages: 'ページ',
  workspace: 'ワークスペース',
  knowledge: {
    websites: 'Webサイト',
    answers: '回答',
    unanswered: '未回答',
    search: '質問を試す',
    checks: 'チェック',
  },
}
