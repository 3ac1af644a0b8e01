import { amount } from '../amount.ts'

/** Texts of a bot in several languages. */
export const languages = {
  shown: 'Languages',
  all: 'All languages',
  filter: 'Show',
  kinds: { all: 'All texts', missing: 'Not translated', outdated: 'To be checked' },
  nothingFound: 'No text matches',
  originalIn: (language: string) => `${language} (original)`,
  counts: (missing: number, outdated: number) =>
    missing + outdated === 0
      ? 'Complete'
      : [missing && `${missing} missing`, outdated && `${outdated} to be checked`]
          .filter(Boolean)
          .join(', '),
  states: { missing: 'Missing', outdated: 'To be checked: the original has changed' },
  confirm: 'Still right',
  confirmIn: (language: string, place: string) =>
    `Still right: ${language} text in ${place}`,
  standard: 'Standard sentences',
  textIn: (place: string) => `Text in ${place}`,
  translationIn: (language: string, place: string) => `${language} text in ${place}`,
  required: 'The original cannot be empty.',
  preview: (language: string) => `Try the bot in ${language}`,
  // Languages.
  add: 'Add language',
  addTitle: 'Add a language',
  first: 'Language of the present texts',
  firstHint: 'People whose language the bot does not have read these.',
  language: 'New language',
  addText:
    'Texts of the wizards are translated right away, if the wizards know the language. ' +
    'Translate the others, then publish.',
  fillIn: 'Fill in what the wizards know',
  filledIn: (texts: number, words: number) =>
    `Filled in: ${amount(texts, 'text')}` +
    (words > 0 ? `, and words that visitors write in ${amount(words, 'place')}` : ''),
  remove: 'Remove language',
  removeTitle: (language: string) => `Remove ${language}?`,
  removeText: (count: number) =>
    `${amount(count, 'translation')} will be deleted from the draft.`,
  // Files.
  export: 'Export',
  exportCsv: 'All languages for a spreadsheet (CSV)',
  exportXliff: (language: string) => `${language} for translators (XLIFF 1.2)`,
  import: 'Import',
  importTitle: 'Import translations',
  importText:
    'Choose a file that you exported here. You see all changes before they apply.',
  importFile: 'CSV or XLIFF file',
  compare: 'Show the changes',
  apply: (count: number) => `Apply ${amount(count, 'change')}`,
  imported: (count: number) => `${amount(count, 'translation')} imported`,
  planned: (changes: number, same: number) =>
    `${amount(changes, 'change')}. Unchanged: ${amount(same, 'text')} of the file.`,
  changes: 'Changes',
  planOutdated: 'The original has changed since: to be checked.',
  planVariables: 'Other variables than in the original.',
  unknown: 'Not imported: the bot has no such text or language',
  more: (count: number) => `And ${amount(count, 'more', 'more')}.`,
  fileTooLarge: 'The file has more than 20 MB',
  fileRejected: 'The file cannot be read',
  // For people who may only edit texts.
  pageTitle: 'Texts',
  publishHint: 'Your colleagues publish the changes.',
}
