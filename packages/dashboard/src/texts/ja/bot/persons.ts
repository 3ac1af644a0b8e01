import type { persons as English } from '../../en/bot/persons.ts'
import { amount } from '../amount.ts'

export const persons: typeof English = {
  title: '同一人物のユーザー',
  hint: 'ほかのチャネルにいる、同じ人のユーザーです。ボットがユーザーについて保存する変数を共有します。',
  none: 'ほかのユーザーはいません',
  addresses: 'アドレス',
  noAddresses: 'アドレスはありません',
  proofs: {
    'mail-server': 'メールサーバーが確認',
    provider: 'プロバイダーが確認',
    signature: '署名付きユーザーキーで確認',
    account: 'メンバーが確認',
    bot: 'ボットが確認',
  },
  claimed: '未確認',
  alsoClaimed: '未確認での使用もあり',
  joined: {
    email: 'メールアドレスで統合',
    phone: '電話番号で統合',
    id: '署名付きIDで統合',
    account: 'メンバーが統合',
    bot: 'ボットが統合',
  },
  suggestions: '同一人物の可能性',
  suggestion: (address: string) => `${address}も使用`,
  merge: '統合',
  mergeWith: (name: string) => `「${name}」と統合`,
  mergeTitle: '2人のユーザーを統合しますか？',
  mergeText:
    '2人は、ボットがユーザーについて保存する変数を共有します。両方に値がある場合は、最後に書き込まれた値が残ります。' +
    '会話はそれぞれのチャネルに残ります。統合は後から解除できます。',
  merged: 'ユーザーを統合しました',
  other: '別のユーザー',
  apart: '別の人',
  keptApart: '別の人として記録しました',
  split: '分離',
  splitOff: (name: string) => `「${name}」を分離`,
  splitTitle: 'このユーザーを分離しますか？',
  splitText:
    '変数は統合前の値に戻り、統合後にこのユーザー自身の会話で書き込まれた値が加わります。ルールがこれらのユーザーを' +
    '再び統合することはありません。',
  isSplit: 'ユーザーを分離しました',
  rules: {
    button: '同一人物',
    title: '同一人物のユーザー',
    hint: 'どちらかがメッセージを送ったとき、次の確認済みの情報が一致していれば統合します:',
    kinds: { email: 'メールアドレス', phone: '電話番号', id: '署名付きID' },
    kindHints: {
      email: 'メールサーバーまたは署名付きユーザーキーで確認',
      phone: 'SMS、WhatsApp、または署名付きユーザーキーの番号',
      id: '自社で署名したユーザーキー、またはボットが設定したID',
    },
    about: 'アドレスの確認方法',
    found: '候補',
    noSuggestions: '同じアドレスのユーザーはいません',
    users: (count: number) => `ユーザー${amount(count, '人')}`,
  },
}
