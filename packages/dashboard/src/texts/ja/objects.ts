import type { states as EnglishStates, tags as EnglishTags } from '../en/objects.ts'

/** Parts of pages about a conversation or user. */
export const tags: typeof EnglishTags = {
  name: '名前',
  value: '値',
  add: '追加',
  remove: (name: string) => `「${name}」を削除`,
}
export const states: typeof EnglishStates = {
  none: {
    conversation: 'このボットには、会話の状態が定義されていません。',
    user: 'このボットには、ユーザーの状態が定義されていません。',
  },
  notSet: '未設定',
  edit: '編集',
  editOf: (name: string) => `「${name}」を編集`,
  saved: '状態を保存しました',
}
