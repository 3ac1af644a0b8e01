import { inLanguage } from '../../in-language.ts'

export const inbox = inLanguage('inbox', {
  title: 'Inbox',
  list: 'Handoffs',
  which: 'Which handoffs',
  lists: { waiting: 'Waiting', mine: 'Mine', open: 'All open', closed: 'Closed' },
  counted: (name: string, count: number | undefined) =>
    count ? `${name} (${atMost(count)})` : name,
  waitingCount: (count: number) => `${atMost(count)} waiting`,
  empty: {
    waiting: 'No conversation waits for a person',
    mine: 'You answer no conversation',
    open: 'No handoff is open',
    closed: 'No handoff is closed yet',
  },
  emptyHint:
    'Conversations appear here when the bot, a member, or a rule, such as a word like “human”, hands them ' +
    'over to a person.',
  takeOverHint:
    'To answer in place of the bot at any time, open a conversation and choose “Take over”.',
  toConversations: 'Conversations',
  user: 'User',
  last: 'Last message',
  reason: 'Reason',
  answers: 'Answered by',
  since: 'Requested',
  closed: 'Closed',
  nobody: 'Nobody',
  /** Without a member. */
  unassigned: {
    waiting: 'Nobody',
    assigned: 'An agent at the help desk',
    closed: 'Nobody',
  },
  you: 'You',
  /** Appended to a name. */
  ofYou: (name: string) => `${name} (you)`,
  former: 'A former member',
  /** For roles that may not read the names of members. */
  someMember: 'A member',
  back: 'Back to the list',
  about: 'About',
  summary: 'Summary',
  waiting: 'No person answers yet.',
  atHelpDesk:
    'People answer at the help desk. If you close the handoff, the ticket stays open there.',
  mine: 'You answer. The bot receives nothing.',
  seenAs: (name: string) => `Visitors see you as ${name}.`,
  unnamed: 'Visitors do not see your name.',
  changeName: 'Change the name',
  ownName: {
    title: 'Your name in the chat',
    hint: 'Visitors see this name above your answers. Without a name, they see none.',
    name: 'Name',
  },
  mineRelayed: 'You answer. The bot receives the messages, too.',
  other: (name: string) => `${name} answers this conversation`,
  otherHint: 'Take over to answer yourself.',
  otherDraft: 'Your draft stays. Take over to answer yourself.',
  outcomes: {
    returned: 'Returned to the bot, which answers again.',
    solved: 'Closed as solved. The bot answers new messages.',
  },
  take: 'Take',
  takeOver: 'Take over',
  openInbox: 'Open in the inbox',
  reopen: 'Open again',
  return: 'Return to the bot',
  returnHint:
    'The request is not settled. The bot answers new messages, and receives the outcome “returned”.',
  solve: 'Close as solved',
  solveHint:
    'The request is settled. The bot answers new messages, and receives the outcome “solved”.',
  assign: 'Assign',
  release: 'Let it wait',
  deleted: 'This handoff was deleted',
  deletedHint:
    'Its conversation was deleted, for example because the data of the user was erased.',
  answer: 'Your answer',
  placeholder: 'Write an answer',
  unfilled: (variable: string) => `Replace ${variable} before you send this.`,
  unsent: 'Your draft was not sent',
  unsentHint: 'The handoff is closed without it.',
  send: 'Send',
  attach: 'Attach a file',
  attached: (name: string) => `Attached: ${name}`,
  detach: (name: string) => `Remove ${name}`,
  own: {
    states: { sent: 'Sent', delivered: 'Delivered', read: 'Read' },
    edited: 'Edited',
    edit: 'Edit',
    editOne: (time: string) => `Edit the message of ${time}`,
    editTitle: 'Edit message',
    text: 'Text',
    delete: 'Delete',
    deleteOne: (time: string) => `Delete the message of ${time}`,
    deleteTitle: 'Delete message?',
    deleteHint: 'It disappears from the chat of the user, too.',
  },
  filters: {
    text: 'User or words',
    tag: 'Tag',
    tagHint: 'name=value',
    member: 'Answered by',
    source: 'Handed over by',
    sources: { request: 'The bot or a member', rule: 'A rule', hitl: 'The plugin hitl' },
    none: 'No handoff matches the filters',
  },
  writes: 'The user is writing …',
  person: 'User',
  handoff: 'Handoff',
  requested: 'Requested',
  requestedBy: 'Requested by',
  bot: 'The bot',
  assigned: 'Assigned',
  answered: 'First answer',
  tags: {
    title: 'Tags of the handoff',
    new: 'New tag of the handoff',
    none: 'The handoff has no tags',
  },
  notes: {
    title: 'Notes',
    hint: 'Members and the bot see them; users do not.',
    text: 'New note',
    placeholder: 'Write a note',
    add: 'Save note',
    remove: (time: string) => `Delete the note of ${time}`,
  },
  replies: {
    title: 'Canned replies',
    insert: 'Insert a canned reply (Ctrl+J)',
    search: 'Find a reply',
    searchHint: 'Enter inserts the first one.',
    none: 'This bot has no canned replies yet.',
    noneFound: 'No reply has these words.',
    new: 'New reply',
    edit: 'Edit reply',
    editOne: (name: string) => `Edit ${name}`,
    deleteOne: (name: string) => `Delete ${name}`,
    name: 'Name',
    text: 'Text',
    variables:
      '{{user.name}} and {{agent.name}} are filled in when you insert it. {{user.name|there}}: “there” ' +
      'for users without a name.',
    unknown: (variable: string) =>
      `${variable} is no variable: a member has to replace it before sending.`,
  },
  rules: {
    button: 'Rules',
    title: 'Rules that hand over to a person',
    keywords: 'Keywords',
    keywordsHint:
      'Words or phrases; Enter adds one. A message of a user that contains one goes to a person.',
    failures: 'Failed answers',
    failuresHint:
      'Hands over after so many in a row: errors of the bot, bad ratings, and unknown answers of the card ' +
      '“answer”. Empty: never.',
    unanswered: 'Questions that the bot cannot answer',
    unansweredHint:
      'To hand over at once, let onUnknown of the card “answer” name a node with the card “handoff”. Other ' +
      'answers such as “I don’t know” count as failed if the bot marks them.',
    unansweredLink: 'How to hand over in a flow',
    relays: 'The bot receives messages during handoffs',
    relaysHint:
      'For bots that record or relay them. Otherwise it receives nothing until the end.',
    message: 'Message to the user',
    messageHint: 'Sent when a rule hands over. Empty: none.',
    hasHours: 'Opening hours',
    hoursHint:
      'At other times, users receive another message. Without opening hours: always open.',
    timezone: 'Time zone',
    period: 'Opening hours',
    days: {
      monday: 'Mon',
      tuesday: 'Tue',
      wednesday: 'Wed',
      thursday: 'Thu',
      friday: 'Fri',
      saturday: 'Sat',
      sunday: 'Sun',
    },
    from: 'From',
    to: 'To',
    addHours: 'Add hours',
    removeHours: 'Remove these hours',
    closedMessage: 'Message at other times',
    handsOver: 'Hand over at other times, too',
    handsOverHint:
      'Otherwise the bot continues to answer. Without keywords and failed answers, each message at other ' +
      'times goes to a person.',
  },
  notifications: {
    button: 'Notify me',
    denied: 'Allow notifications in the browser',
    title: 'A conversation waits for a person',
    assigned: 'A conversation was assigned to you',
    message: (name: string) => `${name} wrote to you`,
  },
  allConversations: 'Conversations in all channels',
  wholeConversation: 'Open the conversation',
})

/** Counting stops at 1,000. */
const atMost = (count: number) => (count >= 1_000 ? '1,000+' : String(count))
