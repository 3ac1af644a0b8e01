import { inLanguage } from '../in-language.ts'

/** Parts of pages about a conversation or user. */
export const tags = inLanguage('tags', {
  name: 'Name',
  value: 'Value',
  add: 'Add',
  remove: (name: string) => `Remove ${name}`,
})
export const states = inLanguage('states', {
  none: {
    conversation: 'The bot declares no states of conversations.',
    user: 'The bot declares no states of users.',
  },
  notSet: 'Not set',
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  saved: 'The state was saved',
})
