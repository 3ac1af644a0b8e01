export * from './channel.ts'
export { channels } from './channels.ts'
export type { PlainMail, PlainMailServer } from './email/plain-mail.ts'
export type { Guide, GuideStep } from './guide.ts'
export { type MessageType, messageTypes, type ShownAs } from './shown.ts'
export { findOption, readOptions } from './text/choices.ts'

/** Loads the function that sends e-mails of the installation. */
export const loadPlainMail = async () =>
  (await import('./email/plain-mail.ts')).sendPlainMail
