import { inLanguage } from '../../in-language.ts'
import { amount } from '../amount.ts'

export const users = inLanguage('users', {
  title: 'Users',
  choiceHint: 'Name, tag or id',
  noChoice:
    'No user found. Enter the beginning of a name, name=value of a tag, or an id.',
  user: 'User',
  empty: 'No users',
  emptyHint: 'Integrations create users when people write to the bot.',
  noneFound: 'No user matches the filters',
  hiddenHint:
    'Users who never wrote and members who answer are hidden. Filters show them.',
  hidden: 'Hidden',
  silent: 'Users who never wrote',
  members: 'Members',
  /** Of both. */
  shown: { shown: 'Shown', only: 'Only these' },
  byMessage: (link: string) =>
    `Names and tags only. To find a person by a message, use ${link}.`,
  toMessages: 'Search messages',
  name: 'Name',
  noName: 'none',
  picture: 'Address of the picture',
  noPicture: 'none',
  tag: 'Tag',
  tagHint: 'name=value',
  integration: 'Integration',
  noIntegration: 'none',
  conversations: 'Conversations',
  conversationCount: (count: number) => amount(count, 'conversation'),
  conversation: (integration: string, count: number) =>
    `${integration} · ${amount(count, 'message')}`,
  noConversations: 'No conversations',
  member: 'Member',
  testUser: 'Test user',
  testUserHint: 'A member of the workspace who tries the bot with “Try the bot”',
  unnamed: 'Unnamed',
  /** Without a name; the code is the end of the id. */
  visitor: (code: string) => `Visitor ${code}`,
  never: 'never',
  about: 'About the user',
  created: 'Created',
  lastMessage: 'Last message',
  saved: 'The user was saved',
  tags: 'Tags',
  noTags: 'No tags',
  newTag: 'New tag',
  attributes: 'Attributes',
  attributesHint: 'The API calls them properties.',
  noAttributes: 'No attributes',
  newAttribute: 'New attribute',
  states: 'States',
  delete: 'Delete user',
  deleteHint:
    'Deletes the user with its messages and files, and its conversations without other participants. ' +
    'Logs, traces and table rows stay: to erase everything, use Personal data. This cannot be undone.',
  deleted: 'The user was deleted',
})
