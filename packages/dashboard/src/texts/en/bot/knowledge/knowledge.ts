import type { File, KnowledgePage, KnowledgeSource } from '@botstead/contract'
import { inLanguage } from '../../../in-language.ts'
import { amount, thousands } from '../../amount.ts'

const files = (count: number) => amount(count, 'file')
const pages = (count: number) => amount(count, 'page')
const words = (all: string[]) => all.map((word) => `“${word}”`).join(', ')
const maxCounted = 20_000

const statuses: Record<File['status'], string> = {
  upload_pending: 'Waiting for content',
  upload_failed: 'Upload failed',
  upload_completed: 'Stored, not searchable',
  indexing_pending: 'Being indexed',
  indexing_failed: 'Indexing failed',
  indexing_completed: 'Searchable',
}

interface InWords {
  matched: string[]
  vectorScore?: number | undefined
  minScore: number
}
const minScoreOwners = { base: ' of the knowledge base', card: ' of the card', usual: '' }

export const knowledge = inLanguage('knowledge', {
  title: 'Knowledge',
  files: 'Files',
  pages: 'Pages of knowledge',
  documents: 'Documents',
  addFiles: 'Add files',
  search: 'Try a question',
  drop: 'Drop files or folders anywhere on this page.',
  empty: 'Give the bot something to read',
  emptyTitleReader: 'No documents',
  emptyHint:
    'Add documents: PDF, Word, Excel, PowerPoint, OpenDocument, HTML, e-mails, text or CSV. The server ' +
    'reads each of them into passages. The bot answers from the passages that fit a question. ' +
    'Afterwards, try a question here, or talk to the bot.',
  emptyReader: 'Nobody has added documents yet.',
  noMatch: 'No files match',
  noMatchHint: 'Change or clear the filters.',
  emptyBase: 'This knowledge base is empty',
  otherFiles: 'Also files outside of knowledge',
  name: 'Name',
  nameHint: 'For example: price list',
  base: 'Knowledge base',
  noBase: 'none',
  status: 'State',
  size: 'Size',
  noSize: 'unknown',
  added: 'Added',
  changed: 'Changed',
  any: 'Any',
  actions: 'Actions',
  delete: 'Delete file',
  deleteOne: (name: string) => `Delete ${name}`,
  deleteText: 'The bot no longer finds its passages. This cannot be undone.',
  deleted: 'The file was deleted',
  indexAgain: 'Index again',
  indexing: 'The server reads the file again',
  download: 'Download',
  counts: (status: File['status'], count: number) => {
    const counted = count >= maxCounted ? `${thousands(maxCounted)}+` : thousands(count)
    return `${counted} ${statuses[status].toLowerCase()}`
  },
  statuses,
  meaning: {
    progress: (embedded: number, passages: number) =>
      `The server prepares the search by meaning: ${thousands(embedded)} of ${amount(passages, 'passage')} ` +
      'done. The bot finds the others already, but only if a question has words of them.',
    complete: (passages: number) =>
      passages === 1
        ? 'The search finds the passage by words and by meaning.'
        : `The search finds all ${thousands(passages)} passages by words and by meaning.`,
    partly: (embedded: number, passages: number) =>
      `The search finds ${thousands(embedded)} of ${amount(passages, 'passage')} by words and by meaning, ` +
      'the others by words only: the model does not know their language.',
    unavailable: (model: string) =>
      `The search finds passages by words only: the model “${model}” fails. The server tries it again ` +
      'every few seconds.',
    disabled: 'The search finds passages by words only.',
    notInstalled:
      'The search finds passages by words only, because the packages of the included model are not ' +
      'installed.',
    about: 'Search by meaning',
  },
  samples: {
    title: (count: number, hasOthers: boolean) =>
      `The bot ${hasOthers ? 'also ' : ''}answers from ${amount(count, 'sample document')}`,
    ask: (subjects: string) =>
      `Click “Try the bot” and ask, for example, about: ${subjects}.`,
    text: (count: number): string =>
      count === 1
        ? 'It came with the example. Delete it when you add your own documents.'
        : 'They came with the example. Delete them when you add your own documents.',
    delete: 'Delete the samples',
    deleteTitle: 'Delete the sample documents',
    deleted: (count: number) => `Deleted: ${files(count)}`,
  },
  bases: {
    manage: 'Change the knowledge base',
    create: 'New knowledge base',
    created: 'The knowledge base was created',
    name: 'Name',
    taken: 'Another knowledge base has this name.',
    chooseFirst: 'Choose a knowledge base first',
    rename: 'Rename',
    renamed: 'The knowledge base was renamed',
    renameHint:
      'Flows find a knowledge base by its name. After renaming it, change the name in the flows, too.',
    minScore: 'Minimum score',
    minScoreHint:
      'From 0 to 1: how likely a passage must answer the question. Empty: 0.35. If the bot answers ' +
      'questions that no document answers, enter more; if it misses answers, enter less.',
    minScoreOf: (name: string) => `Minimum score of “${name}”`,
    minScoreEffect:
      'This changes the knowledge base: it holds for all answers, not only for the search on this ' +
      'page, and replaces the minimum score of cards.',
    minScoreChanged: 'The minimum score was changed',
    noMinScore: '0.35',
    delete: 'Delete',
    deleteOne: (name: string) => `Delete ${name}`,
    deleteText: 'Deletes the knowledge base and all its files. This cannot be undone.',
    deleted: 'The knowledge base was deleted',
    fallback: 'Documents',
  },
  add: {
    title: 'Add files',
    chosen: files,
    none: 'No files chosen',
    hint:
      'Drop files or folders here. A file of the same name is replaced if its content differs, else ' +
      'skipped.',
    types:
      'Searchable types: PDF, Word (docx, rtf), Excel (xlsx), PowerPoint (pptx), OpenDocument (odt, ods, ' +
      'odp), EPUB, e-mail (eml), HTML, Markdown, CSV, TSV, JSON, YAML, XML and other text. Files of other ' +
      'types are stored only.',
    start: 'Upload',
    startReplacing: 'Upload and replace',
    readingFolders: 'Reading the folders …',
    replaces: (count: number) => `Replaces ${files(count)}:`,
    skips: (count: number) => `${files(count)} with the same content will be skipped.`,
  },
  upload: {
    title: 'Upload',
    running: (done: number, total: number) => `${thousands(done)} of ${files(total)}`,
    waiting: 'The server cannot be reached. The upload continues as soon as it responds.',
    done: (uploaded: number) => `${files(uploaded)} uploaded`,
    replaced: (count: number) => `${thousands(count)} replaced`,
    skipped: (count: number) => `${thousands(count)} were here already`,
    failed: (count: number) => `${thousands(count)} failed`,
    progress: 'Progress of the upload',
    progressOf: (name: string) => `Progress of ${name}`,
    retry: 'Retry the failed',
    stop: 'Stop',
    close: 'Close',
    more: (count: number) => `and ${thousands(count)} more`,
    resume:
      'To continue, choose the same files or folder again. Files that are here already are skipped.',
  },
  file: {
    title: 'File',
    document: 'Document',
    passages: 'Passages as the bot reads them',
    kinds: {
      title: 'heading',
      subtitle: 'subheading',
      paragraph: 'paragraph',
      blockquote: 'quotation',
      list: 'list',
      table: 'table',
      code: 'code',
      image: 'picture',
      page: 'page',
    },
    noPassages: 'No passages',
    passageHints: {
      upload_pending: 'The content has not arrived. Upload the file again.',
      upload_failed: 'The content has not arrived. Upload the file again.',
      upload_completed:
        'This file is stored, but not searchable. Index it to make it searchable.',
      indexing_pending: 'The server is reading the file. The passages appear here.',
      indexing_failed: 'The server could not read the file.',
      indexing_completed: 'The file contains no text.',
    } satisfies Record<File['status'], string>,
    page: (page: number) => `page ${page}`,
    noPreview: 'The browser cannot show this type here. Download the file to read it.',
    readText:
      'The browser cannot show this type here. This is the text that the server read from it, ' +
      'in the order of the passages.',
    more: 'Load more of the text',
    beginning: 'Only the beginning is shown.',
    webPage: 'Web page',
  },
  websites: {
    title: 'Websites',
    page: 'Website',
    add: 'Add a website',
    adding: 'Add',
    added: 'The server reads the website',
    hint:
      'The server reads one page, or all pages of a sitemap. It follows robots.txt, and reads the pages ' +
      'again by the schedule: changed pages are replaced, deleted ones removed.',
    empty: 'No websites yet',
    emptyHint:
      'Add the address of a page or of a sitemap. The bot answers from its pages.',
    emptyReader: 'Nobody has added a website yet.',
    url: 'Address',
    urlHint: 'Most websites have their sitemap at /sitemap.xml.',
    type: 'Read',
    types: { page: 'This page', sitemap: 'All pages of this sitemap' },
    schedule: 'Read again',
    schedules: { off: 'Never', daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' },
    maxPages: 'At most (pages)',
    status: 'State',
    statuses: {
      pending: 'Waiting',
      fetching: 'Being read',
      completed: 'Read',
      failed: 'Failed',
    } satisfies Record<KnowledgeSource['status'], string>,
    progress: ({ total, done, failed }: KnowledgeSource['pages'], isRunning: boolean) => {
      const read = isRunning ? `${thousands(done)} of ${pages(total)}` : pages(total)
      return failed > 0 ? `${read}, ${thousands(failed)} not read` : read
    },
    last: 'Last read',
    next: 'Next',
    refresh: 'Read again now',
    change: (url: string) => `Read again: ${url}`,
    changed: 'The schedule was changed',
    edit: 'Change the address',
    edited: 'The address was changed. The server reads the website',
    editText:
      'The pages of the former address are removed when the server has read the new one.',
    delete: 'Delete website',
    deleteOne: (url: string) => `Delete ${url}`,
    deleteText: 'The bot no longer finds its pages. This cannot be undone.',
    deleted: 'The website was deleted',
    pages: 'Pages',
    noPages: 'No pages',
    noPagesHint: 'The pages appear here while the server reads them.',
    checked: 'Checked',
    file: 'Passages',
    pageStatuses: {
      pending: 'Waiting',
      fetched: 'Read',
      unchanged: 'Unchanged',
      blocked: 'Not allowed by robots.txt',
      failed: 'Failed',
      gone: 'Deleted',
    } satisfies Record<KnowledgePage['status'], string>,
  },
  query: {
    title: 'Try a question',
    question: 'Question',
    placeholder: 'How do I return something?',
    all: 'All files',
    submit: 'Search',
    hint: 'See which passages the bot finds for a question, and why.',
    results: 'Passages',
    score: 'Score',
    wordScore: 'Words',
    vectorScore: 'Meaning',
    mergedScore: 'Words and meaning',
    rerankScore: 'Read by a model',
    low: (minScore: number, owner: 'base' | 'card' | 'usual') =>
      `Below the minimum score ${minScore}${minScoreOwners[owner]}: not used`,
    lowHint:
      'The minimum score of the knowledge base counts. Without one, `minScore` of the card counts, if it ' +
      'has any.',
    inWords: ({ matched, vectorScore, minScore }: InWords) => {
      const found =
        matched.length > 0 ? `Matched: ${matched.join(', ')}` : 'No word matched'
      const meaning =
        vectorScore === undefined ? '' : `; meaning ${vectorScore.toFixed(2)}`
      return `${found}${meaning}; needs ${minScore}.`
    },
    minScore: (minScore: string) => `Change the minimum score (${minScore})`,
    minScoreOf: (name: string, minScore: string) =>
      `Change the minimum score (${minScore}) of “${name}”`,
    verdict: {
      title: 'What the bot does',
      answers: 'The bot answers with:',
      chooses:
        'The bot asks which of these the person means, and answers with the chosen one:',
      source: (name: string) => `Source: ${name}`,
      model: (passages: number) =>
        `The bot gives ${amount(passages, 'passage')} to its language model, which writes the answer.`,
      low: (score: string, minScore: number) =>
        `The bot does not answer: the best passage has ${score}, it needs ${minScore}.`,
      lacking:
        'The bot does not answer: the best passage lacks a number, a time or a price, for which the ' +
        'question asks.',
      nothing: 'The bot does not answer: it finds no passage.',
    },
    cardLimits: (limit: string | undefined, minScore: string | undefined) => {
      const passages = limit && (limit === '1' ? '1 passage' : `${limit} passages`)
      const parts = [
        passages && `at most ${passages}`,
        minScore && `minimum score ${minScore}`,
      ]
      const limits = `Limits of the card that searched: ${parts.filter(Boolean).join(', ')}.`
      return minScore
        ? `${limits} If a knowledge base has a minimum score of its own, that one counts.`
        : limits
    },
    clearLimits: 'Search without these limits',
    why: 'Why these passages',
    matched: (all: string[]) => `Found words: ${words(all)}.`,
    missing: (all: string[]) => `No passage contains ${words(all)}.`,
    replaced: (word: string, by: string[]) =>
      by.length > 0
        ? `Searched ${words(by)} in place of “${word}”.`
        : `Searched words that are spelt like “${word}”, which no passage contains.`,
    wordsOnly: 'The search compares words. With embeddings it also compares meaning.',
    embeddings: 'Set up embeddings',
    withVectors: 'The search compares words and meaning.',
    withReranking:
      'A model has read the question with the best passages, and ordered them.',
    nothing: 'Nothing was found',
    noTerms: 'The question contains no words to search, only very common ones.',
    noFiles: 'There are no files to search. Add some first.',
    noneReady: 'No file is searchable yet.',
    pending: (count: number) =>
      `${files(count)} are still being read. Try again in a moment.`,
    failed: (count: number) => `${files(count)} could not be read.`,
    showFailed: 'Show them',
    elsewhere: 'Another knowledge base has a passage for this question:',
    rephrase:
      'Use words of the documents in the question, or add these words to the document that should answer it.',
  },
})
