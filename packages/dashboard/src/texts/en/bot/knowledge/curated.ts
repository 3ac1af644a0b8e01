import type { CuratedMatch, RejectedAnswer } from '@botstead/contract'
import { inLanguage } from '../../../in-language.ts'
import { amount, thousands } from '../../amount.ts'

const kinds: Record<CuratedMatch['kind'], string> = {
  equal: 'the same words',
  words: 'the same words in other forms',
  misspelt: 'the same words, one of them misspelt',
}

export const curated = inLanguage('curated', {
  title: 'Answers',
  hint:
    'When a person asks one of these questions, the bot sends this answer as you wrote it. It comes before ' +
    'documents and models. The bot knows other forms of the words and misspellings; for other words, add ' +
    'another question to the answer.',
  empty: 'No answers yet',
  emptyHint: 'Write the answer to a question that people ask often.',
  emptyReader: 'Nobody has written an answer yet.',
  noMatch: 'No answers match',
  search: 'Search',
  searchHint: 'Words of questions or answers',
  new: 'New answer',
  newTitle: 'New answer',
  edit: 'Change the answer',
  editOne: (question: string) => `Change the answer to “${question}”`,
  deleteOne: (question: string) => `Delete the answer to “${question}”`,
  deleteText: 'The bot no longer sends this answer. This cannot be undone.',
  delete: 'Delete',
  deleted: 'The answer was deleted',
  saved: 'The answer was saved. The bot uses it from now on',
  questions: 'Questions',
  questionsHint:
    'One per line, as people ask. The bot knows other forms of these words and misspellings. The same ' +
    'question in other words needs another line: at most 20.',
  tooMany: 'At most 20 questions fit into one answer.',
  tooLong: 'A question has at most 300 characters.',
  answer: 'Answer',
  more: 'Buttons, picture, language and period',
  buttons: 'Buttons below the answer',
  buttonsHint:
    'One per line. A click sends the text of the button. To send another text, write: Yes = I want to ' +
    'order',
  picture: 'Address of a picture',
  pictureHint: 'Sent before the answer. It begins with https://',
  language: 'Language of the questions',
  languageHint: 'Empty: the server finds it by the words.',
  base: 'Only for',
  allBases: 'All knowledge bases',
  validFrom: 'First day',
  validTo: 'Last day',
  period: 'The last day is before the first.',
  changed: 'Changed',
  notNow: 'Not used now',
  moreQuestions: (count: number) => `and ${amount(count, 'more question')}`,
  export: 'Export as CSV',
  import: 'Import from CSV',
  importText:
    'A table with the columns “questions” and “answer”. Several questions of one answer are lines of one ' +
    'cell. An export shows all columns. Rows with an “id” change the answer with this id.',
  importFile: 'Choose the CSV file',
  imported: (created: number, updated: number, unchanged: number) =>
    `${thousands(created)} added, ${thousands(updated)} changed, ${thousands(unchanged)} unchanged.`,
  rejected: (count: number) => `${amount(count, 'row')} could not be imported:`,
  rejectedRow: ({ line, message }: RejectedAnswer) =>
    `Line ${thousands(line)}: ${message}`,
  file: 'answers.csv',
  found: 'The bot sends an answer of yours',
  foundHint: ({ question, kind }: CuratedMatch) =>
    `It does not search the documents. The question is “${question}” by ${kinds[kind]}.`,
  fromConversation: 'Save as answer',
  fromConversationOne: (time: string) => `Save as answer: the message of ${time}`,
})

export const unanswered = inLanguage('unanswered', {
  title: 'Unanswered',
  hint:
    'Questions that the bot could not answer, and answers that people rated badly. A question leaves the ' +
    'list when an answer or a new document answers it, but not while somebody waits for an e-mail.',
  empty: 'Nothing to fix',
  emptyHint: 'Questions that the bot cannot answer appear here.',
  question: 'Question',
  count: 'Asked',
  times: (count: number) => (count === 1 ? 'once' : `${thousands(count)} times`),
  rated: (count: number) => `${thousands(count)} rated badly`,
  last: 'Last',
  best: 'Best passage',
  /** Shown with the question, so that the number says something. */
  score: (score: string, minScore: number, isEnough: boolean) =>
    isEnough ? `${score}: enough` : `${score}, needs ${minScore}`,
  read: (name: string) => `Read the passage of ${name}`,
  readTitle: 'Best passage',
  usePassage: 'Use this passage',
  usePassageHint: 'The bot found this passage. Use it as the answer, and shorten it:',
  answered: 'Is answered now',
  answeredHint: 'If somebody asks this again, the bot answers.',
  wantsMail: 'asked for an answer by e-mail:',
  mailed: 'Mark the e-mail as answered',
  mailedDone: 'The requests for an answer by e-mail were deleted',
  noPassage: 'No passage of the documents fits',
  addAnswer: 'Add an answer',
  addAnswerTo: (question: string) => `Add an answer to “${question}”`,
  others: (question: string) => `More for “${question}”`,
  addDocument: 'Add a document',
  dismiss: 'Not a question',
  dismissed: 'The question was removed from the list',
  open: 'Open the conversation',
  explain: 'See what the search finds',
  wordings: (count: number) => `and ${amount(count, 'other wording')}`,
})

export const checks = inLanguage('checks', {
  title: 'Checks',
  hint:
    'Questions with the document or text that should answer them. Run the check after you changed ' +
    'documents or answers: it takes seconds, sends no messages, and shows what got better and worse.',
  empty: 'No questions to check yet',
  emptyHint:
    'Add questions that the bot must answer, with the document or a part of the answer.',
  emptyReader: 'Nobody has added a question yet.',
  add: 'Add a question',
  run: 'Run the check',
  export: 'Export',
  import: 'Import',
  importText:
    'Adds the questions of a file that “Export” or a person wrote, in YAML or JSON. Questions that are ' +
    'already here stay as they are. “botstead test” runs the same file.',
  importFile: 'File with checks',
  imported: (created: number, unchanged: number) =>
    `${thousands(created)} added, ${thousands(unchanged)} unchanged.`,
  tooLarge: 'The file has more than 2 MB',
  invalid: (file: string, line: number, message: string) =>
    `${file}, line ${line}: ${message}`,
  file: 'knowledge.yaml',
  question: 'Question',
  expectedFile: 'Document that should answer',
  expectedFileHint: 'Its name, for example: returns.md',
  expectedText: 'Part of the answer',
  expectedTextHint:
    'For example: thirty days. Enter the document, a part of the answer, or both.',
  expected: 'Expected',
  quoted: (text: string) => `“${text}”`,
  result: 'Result',
  found: 'Found',
  nothing: 'Nothing',
  curatedAnswer: 'An answer of yours',
  notRun: 'Not run yet',
  passed: 'Right',
  failed: 'Wrong',
  better: 'Better than before',
  worse: 'Worse than before',
  summary: (passed: number, failed: number, better: number, worse: number) => {
    const changes = [
      better > 0 && `${thousands(better)} better`,
      worse > 0 && `${thousands(worse)} worse`,
    ]
    const compared = changes.filter(Boolean).join(', ')
    const right = `${thousands(passed)} of ${amount(passed + failed, 'question')} right`
    return compared ? `${right}; since the last run: ${compared}.` : `${right}.`
  },
  delete: 'Delete',
  edit: 'Edit question',
  editOne: (question: string) => `Edit “${question}”`,
  deleteOne: (question: string) => `Delete “${question}”`,
})
