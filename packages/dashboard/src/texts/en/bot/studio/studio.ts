import { inLanguage } from '../../../in-language.ts'
import { amount, thousands } from '../../amount.ts'
import { languages } from '../languages.ts'
import { documentNames } from './document-names.ts'

interface NodeLabel {
  name: string
  type: string
  cards: number
  problems: number
  /** By the conversation that tries the draft. */
  isPassed: boolean
  /** Of conversations. */
  counts: string | undefined
  /** No test visited it. */
  isUntested: boolean
}

const listWords = (words: string[]) => words.map((word) => `“${word}”`).join(', ')

export const studio = inLanguage('studio', {
  title: 'Flows',
  // The state of the draft.
  states: { saved: 'Saved', saving: 'Saving …' },
  offline: (count: number) =>
    `Offline: ${amount(count, 'change is', 'changes are')} kept in this browser`,
  overwritten: 'Your change replaced another one that was made at the same time',
  lost: {
    rejected: 'The server rejected a change',
    missing: 'Somebody else deleted or changed this part',
  },
  undo: 'Undo',
  redo: 'Redo',
  discard: 'Discard changes',
  discardTitle: 'Discard all changes since the last version?',
  discardText:
    'The draft becomes what is published. The changes are deleted for everybody.',
  discarded: 'The changes are discarded',
  moreActions: 'More actions',
  copilot: 'Copilot',
  versions: 'Versions',
  noFlows: 'This bot has no flows',
  noFlowsHint:
    'Its code was deployed as a bundle, or it runs at a URL. Create a bot that starts from scratch to ' +
    'edit it here.',
  // Views.
  view: 'View',
  views: { canvas: 'Canvas', list: 'List' },
  parts: 'Parts of the bot',
  flows: 'Flows',
  ofBot: 'Bot',
  part: 'Part',
  addFlow: 'Add flow',
  addDialogue: 'Add dialogue',
  flowNamed: (name: string) => `Flow ${name}`,
  inFlow: (flow: string, node?: string) => (node ? `${flow} · ${node}` : `Flow ${flow}`),
  otherFlows: 'Other flows',
  steps: 'Steps of this flow',
  partNames: {
    texts: 'Texts',
    variables: 'Variables',
    triggers: 'Triggers',
    hooks: 'Hooks',
    settings: 'Settings',
  },
  partHints: {
    variables: 'Values that the bot remembers. Texts show them in double braces.',
    triggers:
      'Start a flow when a conversation starts, when something happens, or at a time.',
    hooks: 'Code that runs before or after each message.',
    settings: 'Times, limits and defaults of all flows.',
  },
  scopes: {
    conversation: 'Of a conversation',
    user: 'Of a person, in all conversations',
    bot: 'Of the bot',
    configuration: 'Of the configuration',
  },
  newInScope: {
    conversation: 'New variable of a conversation',
    user: 'New variable of a person',
    bot: 'New variable of the bot',
    configuration: 'New variable of the configuration',
  },
  // The canvas.
  canvas: (flow: string) => `Canvas of the flow ${flow}`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Show all',
  dragHint: 'Drag to a step, or onto an empty spot for a new one',
  nodeLabel: ({ name, type, cards, problems, isPassed, counts, isUntested }: NodeLabel) =>
    [
      name,
      type,
      amount(cards, 'card'),
      ...(isPassed ? ['passed'] : []),
      ...(counts ? [counts] : []),
      ...(isUntested ? ['no test'] : []),
      ...(problems > 0 ? [amount(problems, 'problem')] : []),
    ].join(', '),
  lastDays: (days: number) => `Last ${days} days`,
  countsHint: 'How many conversations passed each step, and ended there',
  countsDelay: 'Without the last few minutes',
  nodeCounts: ({ passed, ended }: { passed: number; ended: number }) =>
    `${thousands(passed)} passed · ${thousands(ended)} ended here`,
  passed: 'passed',
  isHere: 'the conversation is here',
  nodeTypes: {
    start: 'Start',
    entry: 'Entry',
    standard: 'Step',
    exit: 'Exit',
    end: 'End',
    trigger: 'Trigger',
    exception: 'After an error',
    agent: 'Agent',
  } as Record<string, string>,
  nodeHints: {
    standard: 'An empty step.',
    agent: 'A language model talks to the user until it takes an exit.',
    exit: 'Returns to the flow that has started this one.',
    end: 'Ends the conversation.',
    trigger: 'Triggers enter the flow here.',
    exception: 'The flow continues here after an error.',
  } as Record<string, string>,
  exits: {
    next: 'Next',
    to: 'Go to',
    flow: 'Runs',
    otherwise: 'Otherwise',
    onCancel: 'If cancelled',
    onTimeout: 'If no answer in time',
    onUnknown: 'If unknown',
    onFail: 'If it fails',
  },
  agent: 'Agent',
  // Adding.
  addTitle: 'Add a card or a step',
  search: 'Search',
  nothingFound: 'Nothing found',
  newStep: (type: string) => `New step: ${type}`,
  addStep: 'Add a step',
  addCard: 'Add a card',
  addCardTo: (node: string) => `Add a card to ${node}`,
  cardHints: {
    send: 'Sends a text, buttons or a picture.',
    capture: 'Asks a question and waits for the answer.',
    transition: 'Continues elsewhere if a condition holds.',
    goTo: 'Continues at another step.',
    callFlow: 'Runs another flow, then continues here.',
    code: 'Runs JavaScript.',
    callAction: 'Calls an action of the bot or of an integration.',
    queryKnowledge: 'Finds passages of the documents.',
    aiTask: 'Lets a model produce a result.',
    aiTransition: 'Lets a model choose the next step.',
    aiText: 'Lets a model write a text.',
    answer: 'Answers a question from the documents.',
    table: 'Reads or changes rows of a table.',
    set: 'Gives a variable a value.',
    tag: 'Tags the conversation, the user or the message.',
    log: 'Writes a line into the log.',
    waitForEvent: 'Waits until something happens.',
    handoff: 'A colleague continues in the inbox.',
    inactivityTimeout: 'Ends the conversation after a time of silence.',
  } as Record<string, string>,
  askFor: (answer: string) => `Ask for: ${answer}`,
  questionHints: {
    text: 'Asks a question that is answered by a text.',
    number: 'Asks a question that is answered by a number.',
    confirmation: 'Asks a question that is answered by yes or no.',
    email: 'Asks for an address such as ana@example.org.',
    phone: 'Asks for a number to call.',
    url: 'Asks for an address such as https://example.org.',
    date: 'Asks when: a day, a time or both.',
    singleChoice: 'Asks a question with buttons.',
    multipleChoice: 'Asks a question with buttons, of which several can be chosen.',
    file: 'Asks for a picture or a document.',
  } as Record<string, string>,
  placeholders: {
    question: 'Write the question',
    message: 'Write what the bot says',
  } as Record<string, string>,
  // Forms.
  panel: 'Settings of the selection',
  step: (name: string) => `Step ${name}`,
  editStep: (name: string) => `Edit ${name}`,
  edit: 'Edit',
  deleteStep: 'Delete step',
  backTo: (name: string) => `Back to ${name}`,
  duplicate: 'Duplicate',
  up: 'Move up',
  down: 'Move down',
  moveUp: (name: string) => `Move ${name} up`,
  moveDown: (name: string) => `Move ${name} down`,
  cards: 'Cards',
  name: 'Name',
  nameTaken: 'Another step has this name.',
  nameForm: 'Begin with a letter. Use letters, digits, “-” and “_”.',
  kind: 'Kind',
  variables: 'Variables',
  declare: (name: string) => `Create the variable ${name}`,
  variableName: 'Name of the variable',
  variableForm: 'Begin with a letter. Use letters, digits and “_”, at most 64.',
  remembers: (title: string) => `${title}: remember for`,
  remember: 'Remember for',
  /** Also the groups of variables in a menu. */
  variableScopes: {
    workflow: 'this flow',
    conversation: 'this conversation',
    user: 'this person',
    bot: 'the bot',
    session: 'this session',
    env: 'the configuration',
    event: 'the last message',
  } as Record<string, string>,
  inScope: (name: string, scope: string) => `${name} (${scope})`,
  insertAnswer: 'Insert an answer',
  insertInto: (title: string) => `Insert an answer into ${title}`,
  lastMessage: 'its text',
  notUsed: 'not used',
  unused: (count: number) => `Nothing uses ${amount(count, 'variable')}:`,
  removeUnused: 'Remove unused',
  asCode: 'As code',
  /** Conditions that wizards write. */
  conditions: {
    begins: (flow: string, words: string[]) =>
      `The message contains one of the words ${listWords(words)}, or is the button of ${flow}. ` +
      'Not while another dialogue waits for an answer.',
    isButton: (flow: string) => `The button of ${flow} was pressed`,
    isYes: (variable: string) => `${variable} is yes`,
    isNotYes: (variable: string) => `${variable} is not yes`,
    isEmpty: (variable: string) => `${variable} is empty`,
    isMissing: (variable: string) => `${variable} has no value`,
    isPresent: (variable: string) => `${variable} has a value`,
    equals: (variable: string, value: string) => `${variable} is “${value}”`,
    equalsVariable: (variable: string, other: string) =>
      `${variable} is the same as ${other}`,
    isLess: (variable: string, value: number) => `${variable} is less than ${value}`,
    isAtMost: (variable: string, value: number) => `${variable} is at most ${value}`,
  },
  codeFile: 'The code is in this file of the document.',
  addNamed: (title: string) => `Add to ${title}`,
  removeNamed: (name: string) => `Remove ${name}`,
  numbered: (title: string, number: number) => `${title} ${number}`,
  newName: (title: string) => `New name in ${title}`,
  label: 'Label',
  value: 'Value',
  messageKind: (title: string) => `Kind of “${title}”`,
  messageKinds: {
    text: 'Text',
    markdown: 'Formatted text',
    image: 'Picture',
    audio: 'Sound',
    video: 'Video',
    file: 'File',
    location: 'Place on a map',
    card: 'Card',
    carousel: 'Cards beside each other',
    choice: 'Text with buttons',
    dropdown: 'Text with a list',
    bloc: 'Several messages',
  } as Record<string, string>,
  messageFields: {
    text: 'Text',
    markdown: 'Text',
    imageUrl: 'Address of the picture',
    audioUrl: 'Address of the sound',
    videoUrl: 'Address of the video',
    fileUrl: 'Address of the file',
    latitude: 'Latitude',
    longitude: 'Longitude',
    title: 'Title',
    actions: 'Buttons',
    items: 'Parts',
    options: 'Buttons',
  } as Record<string, string>,
  // Search and texts.
  searchAll: 'Search flows, steps, texts and variables',
  searchTexts: 'Search texts',
  textsTitle: 'Texts of the bot',
  noTexts: 'The bot has no texts yet',
  place: 'Place',
  text: 'Text',
  languages,
  names: documentNames,
  // The check.
  problemsTitle: 'Problems',
  problems: (count: number) => amount(count, 'problem'),
  warnings: (count: number) => amount(count, 'warning'),
  noProblems: 'No problems or warnings',
  // Publishing.
  publish: 'Publish',
  publishTitle: 'Publish the changes',
  publishBlocked: 'Correct them first: the bot could not run.',
  published: 'The changes are published',
  publishRejected: 'The bot cannot run with these changes',
  publishedState: 'Published',
  notStored: 'The server does not have all changes yet. Try again in a moment.',
  changesAs: 'Show the changes',
  inWords: 'In words',
  asText: 'As text',
  changed: 'Changes since the last version:',
  noChanges: 'There are no changes.',
  onlyLayout: 'Only positions of steps have changed.',
  message: 'Description of the version',
  messageHint: 'Your colleagues see it on the page Versions.',
  acceptWarnings: (count: number) => `Publish with ${amount(count, 'warning')}`,
  tryDraft: 'Try the draft',
  triesBefore: 'The bot answers as before the last change.',
  ownTables:
    'The draft has tables of its own, empty at first. Those of the bot stay as they are.',
  tests: {
    title: 'Tests',
    close: 'Close the tests',
    none:
      'The bot has no tests yet. Try the draft, and save the conversation as a test: it then expects the ' +
      'same answers.',
    // Saving.
    save: 'Save the conversation as a test',
    saveHint: 'The test sends the same messages, and expects the same answers.',
    saved: (name: string) => `The draft has the test “${name}”`,
    download: 'Download a file instead',
    downloadHint: (link: string) =>
      `${link}. Put it into the folder tests beside the document; the command botstead test runs it.`,
    recorded: (time: string) => `Recorded ${time}`,
    withoutDocument:
      'This bot has no document that could keep the test. The file is for the folder tests beside a ' +
      'document; the command botstead test runs it.',
    personHint:
      'The document keeps what the person wrote, also after the person is deleted.',
    downloadOnly: 'Download',
    tooLong: (count: number) =>
      `The conversation has more than ${count} messages. Record a shorter one in Try the draft.`,
    noMessages: 'The conversation has no messages yet.',
    name: 'Name of the test',
    nameProblems: {
      empty: 'Enter a name.',
      long: 'Use at most 200 characters.',
      taken: 'Another test has this name.',
    },
    // Running.
    runAll: 'Run all',
    run: 'Run',
    runOne: (name: string) => `Run ${name}`,
    running: 'Running …',
    rejected: 'The draft cannot be tested: correct its problems',
    passed: (passed: number, all: number) => `${passed} of ${amount(all, 'test')} passed`,
    states: {
      unknown: 'Not run yet',
      running: 'Running …',
      passed: 'Passed',
      failed: 'Failed',
    },
    beforeChange: 'before the last change',
    // Results.
    line: (number: number) => `Line ${number}`,
    lines: {
      user: 'User',
      bot: 'Bot',
      variables: 'Variables',
      wait: 'Wait',
      event: 'Event',
      tables: 'Tables',
      handoff: 'Handoff',
    } as Record<string, string>,
    wholeTest: 'The test as a whole',
    expected: 'Expected',
    actual: 'Got',
    noMessage: 'no message',
    at: 'At',
    lastTurn: 'The last turn',
    conversation: 'Conversation',
    // Changes.
    actions: (name: string) => `Actions of ${name}`,
    rename: 'Rename',
    renameTitle: 'Rename the test',
    // Steps without a test.
    noTest: 'no test',
    untested: (count: number, all: number) =>
      count === 0
        ? 'Each step has a test'
        : `${count} of ${amount(all, 'step')} ${count === 1 ? 'has' : 'have'} no test`,
    mark: 'Mark them in the flows',
    untestedSteps: 'Steps without a test',
    moreUntested: (count: number) => `And ${count} more`,
    tooManySteps: 'The tests visit too many steps to show those without a test.',
  },
})
