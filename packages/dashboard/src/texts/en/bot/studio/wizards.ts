import { inLanguage } from '../../../in-language.ts'
import { amount } from '../../amount.ts'

/** The wizards of dialogues. */
export const wizards = inLanguage('wizards', {
  title: 'Add a dialogue',
  choose:
    'Choose what the bot should do. Afterwards, you can edit it like any other flow.',
  language: 'Language of the texts',
  kinds: {
    contact: {
      title: 'Contact form',
      hint: 'Asks for name, e-mail and message, stores them and tells a person.',
    },
    booking: {
      title: 'Booking with free times',
      hint: 'Offers free times, books one, and changes or cancels it later.',
    },
    order: {
      title: 'Order status',
      hint: 'Finds an order by its number in a table, and tells its state.',
    },
    rating: {
      title: 'Satisfaction',
      hint: 'Asks for a rating from 1 to 5 and a comment.',
    },
    own: {
      title: 'Your own questions',
      hint: 'Asks what you want to know, and stores the answers.',
    },
  },
  back: 'Choose another dialogue',
  create: 'Add to the draft',
  faults: (count: number) => `${amount(count, 'field')} to be corrected`,
  name: 'Name of the dialogue',
  // Questions.
  questions: 'Questions',
  question: (number: number) => `Question ${number}`,
  answerName: 'Short name',
  answerNameHint: 'For the table, and for the summary that the visitor sees.',
  ask: 'Question',
  kind: 'Answer',
  choices: 'Choices, a line for each',
  isOptional: 'The visitor may skip it',
  add: 'Add a question',
  presets: {
    name: 'Name',
    email: 'E-mail',
    phone: 'Phone',
    date: 'Date',
    message: 'Message',
  },
  isConfirmed: 'Ask whether the answers are right before they are stored',
  closing: 'Last message',
  tellsPerson: 'Then hand the conversation over to a person',
  tellsPersonHint:
    'Your colleagues see it in the inbox, with a summary. The bot is silent until they close it.',
  // Bookings.
  hours: 'Opening hours',
  hoursHint:
    'Such as 09:00-12:00, 13:00-17:00. Leave a day empty on which nothing can be booked.',
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  minutes: 'Length of a booking in minutes',
  capacity: 'Bookings at the same time',
  noticeHours: 'Latest booking, in hours before',
  daysAhead: 'Earliest booking, in days before',
  timezone: 'Time zone',
  timezoneHint:
    'It becomes the time zone of the bot. Its other flows read dates in it, too.',
  timezoneKnown: (zone: string) => `Times are in the time zone of the bot, ${zone}.`,
  // Tables.
  table: 'Table',
  storedIn: 'Store the answers in',
  ordersIn: 'Orders are in',
  newTable: 'A new table',
  noTable: 'No table',
  tableName: 'Name of the new table',
  newColumns: (columns: string) =>
    'The table is created after publishing, with the first visitor of the dialogue. ' +
    `Columns: ${columns}.`,
  columnFor: (name: string) => `Column for ${name}`,
  newColumn: 'A new column',
  notStored: 'Not stored',
  keyHint: 'Bookings need a table whose key column is a text. Others are not listed.',
  parts: {
    slot: 'time and place (unique)',
    time: 'time (UTC)',
    local: 'time in the time zone of the bot',
    code: 'booking number',
    status: 'state',
    rating: 'rating',
    comment: 'comment',
  } as Record<string, string>,
  numberColumn: 'Column with the number of the order',
  checkColumn: 'Second column that must fit, such as the e-mail',
  checkHint: 'Without it, everybody who knows a number reads the state.',
  noCheck: 'None',
  sentence: 'Answer',
  sentenceHint: (columns: string) => `Columns in braces become their values: ${columns}`,
  offersPerson: 'Offer a person if the order is not found',
  // Ratings.
  rating: 'Question',
  asksComment: 'Ask for a comment, which may be skipped',
  lowUpTo: 'Offer a person',
  low: ['Never', 'With 1', 'With 1 or 2', 'With 1 to 3', 'With 1 to 4'],
  afterHandoff: 'Also ask when a person has closed a conversation',
  // Ways into it.
  reach: 'How visitors reach it',
  words: 'Words that begin it',
  wordsHint: 'With commas between them. A message that contains one begins the dialogue.',
  button: 'Button',
  buttonHint: 'Leave it empty for no button.',
  greeting: 'Place of the button',
  below: (text: string) => `Below “${text}”`,
  newGreeting: 'In a new greeting, when a conversation starts',
  greetingText: 'Text above the button',
  greetingTextHint: 'If the greeting has no buttons yet.',
  // What it makes.
  makes: 'This adds to the draft',
  makesFlow: (name: string, steps: number) =>
    `The flow ${name}, with ${amount(steps, 'step')}`,
  makesTable: (name: string) => `The table ${name}`,
  makesColumn: (table: string) => `A column of the table ${table}`,
  makesTrigger: (name: string) => `The trigger ${name}`,
  makesButton: (flow: string) => `A button (${flow})`,
  makesTimezone: (zone: string) => `The time zone ${zone} of the bot`,
})
