import type { forms as English } from '../en/forms.ts'

/** By the English words of the library of forms. */
export const forms: typeof English = {
  words: {
    'Move up': '上へ移動',
    'Move down': '下へ移動',
    Copy: 'コピー',
    Remove: '削除',
    'clear input': '入力を消去',
    Yes: 'はい',
    No: 'いいえ',
    'Option %1': 'オプション%1',
    '%1 option %2': '%1 オプション%2',
    '%1 Key': '%1のキー',
    'New Value': '新しい値',
  } as Record<string, string>,
}
