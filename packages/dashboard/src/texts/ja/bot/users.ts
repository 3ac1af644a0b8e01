import type { users as English } from '../../en/bot/users.ts'
import { amount } from '../amount.ts'

export const users: typeof English = {
  title: 'ユーザー',
  choiceHint: '名前、タグ、ID',
  noChoice:
    'ユーザーが見つかりません。名前の先頭、タグ（名前=値）、またはIDを入力してください。',
  user: 'ユーザー',
  empty: 'ユーザーはいません',
  emptyHint: 'ボットにメッセージが届くと、連携がユーザーを作成します。',
  noneFound: 'フィルターに一致するユーザーはいません',
  hiddenHint:
    'メッセージを一度も送っていないユーザーと、応対するメンバーは非表示です。フィルターで表示できます。',
  hidden: '非表示',
  silent: 'メッセージのないユーザー',
  members: 'メンバー',
  shown: { shown: '表示', only: 'これのみ表示' },
  byMessage: (link: string) =>
    `検索の対象は名前とタグのみです。メッセージから人を探す場合は、「${link}」を使ってください。`,
  toMessages: 'メッセージを検索',
  name: '名前',
  noName: 'なし',
  picture: '画像のアドレス',
  noPicture: 'なし',
  tag: 'タグ',
  tagHint: '名前=値',
  integration: '連携',
  noIntegration: 'なし',
  conversations: '会話',
  conversationCount: (count: number) => `会話${amount(count)}`,
  conversation: (integration: string, count: number) =>
    `${integration} · メッセージ${amount(count)}`,
  noConversations: '会話はありません',
  member: 'メンバー',
  testUser: 'テストユーザー',
  testUserHint: '「ボットを試す」を使っているワークスペースのメンバーです',
  unnamed: '名前なし',
  visitor: (code: string) => `訪問者${code}`,
  never: 'なし',
  about: 'ユーザー情報',
  created: '作成日時',
  lastMessage: '最後のメッセージ',
  saved: 'ユーザーを保存しました',
  tags: 'タグ',
  noTags: 'タグはありません',
  newTag: '新しいタグ',
  attributes: '属性',
  attributesHint: 'APIではpropertiesと呼びます。',
  noAttributes: '属性はありません',
  newAttribute: '新しい属性',
  states: '状態',
  delete: 'ユーザーを削除',
  deleteHint:
    'ユーザーと、そのメッセージとファイル、ほかに参加者のいない会話を削除します。ログ、トレース、テーブルの行は' +
    '残ります。すべてを消すには「個人データ」を使ってください。元に戻せません。',
  deleted: 'ユーザーを削除しました',
}
