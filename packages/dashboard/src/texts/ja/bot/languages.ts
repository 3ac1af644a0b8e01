import type { languages as English } from '../../en/bot/languages.ts'
import { amount } from '../amount.ts'

/** Texts of a bot in several languages. */
export const languages: typeof English = {
  shown: '言語',
  all: 'すべての言語',
  filter: '表示',
  kinds: { all: 'すべてのテキスト', missing: '未翻訳', outdated: '要確認' },
  nothingFound: '該当するテキストはありません',
  originalIn: (language: string) => `${language}（原文）`,
  counts: (missing: number, outdated: number) =>
    missing + outdated === 0
      ? '完了'
      : [missing && `未翻訳${amount(missing)}`, outdated && `要確認${amount(outdated)}`]
          .filter(Boolean)
          .join('、'),
  states: { missing: '未翻訳', outdated: '要確認: 原文が変わりました' },
  confirm: 'このままでよい',
  confirmIn: (language: string, place: string) =>
    `このままでよい: ${place}（${language}）`,
  standard: '標準の文',
  textIn: (place: string) => `テキスト: ${place}`,
  translationIn: (language: string, place: string) => `${language}のテキスト: ${place}`,
  required: '原文は空にできません。',
  preview: (language: string) => `${language}でボットを試す`,
  // Languages.
  add: '言語を追加',
  addTitle: '言語を追加',
  first: '現在のテキストの言語',
  firstHint: 'ボットが対応していない言語の人には、このテキストが表示されます。',
  language: '新しい言語',
  addText:
    'ウィザードが対応している言語なら、ウィザードのテキストはすぐに翻訳されます。' +
    '残りを翻訳してから公開してください。',
  fillIn: 'ウィザードの翻訳を適用',
  filledIn: (texts: number, words: number) =>
    `${amount(texts)}のテキスト${words > 0 ? `と、訪問者の言葉${amount(words)}か所` : ''}に適用しました`,
  remove: '言語を削除',
  removeTitle: (language: string) => `${language}を削除しますか？`,
  removeText: (count: number) => `下書きから翻訳${amount(count)}が削除されます。`,
  // Files.
  export: 'エクスポート',
  exportCsv: 'すべての言語（表計算用のCSV）',
  exportXliff: (language: string) => `${language}（翻訳者用のXLIFF 1.2）`,
  import: 'インポート',
  importTitle: '翻訳をインポート',
  importText:
    'ここでエクスポートしたファイルを選択してください。適用する前に、すべての変更を確認できます。',
  importFile: 'CSVまたはXLIFFファイル',
  compare: '変更を表示',
  apply: (count: number) => `${amount(count)}の変更を適用`,
  imported: (count: number) => `翻訳${amount(count)}をインポートしました`,
  planned: (changes: number, same: number) =>
    `変更${amount(changes)}。ファイルのテキスト${amount(same)}は現在と同じです。`,
  changes: '変更',
  planOutdated: '原文がその後変わりました（要確認）。',
  planVariables: '変数が原文と異なります。',
  unknown: 'インポート対象外: ボットにこのテキストまたは言語がありません',
  more: (count: number) => `ほか${amount(count)}。`,
  fileTooLarge: 'ファイルが20 MBを超えています',
  fileRejected: 'ファイルを読み取れません',
  // For people who may only edit texts.
  pageTitle: 'テキスト',
  publishHint: '変更は、公開できるメンバーが公開します。',
}
