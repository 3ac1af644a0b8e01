export * from './channel.ts'
export { channels } from './channels.ts'
export { findOption, readOptions } from './text/choices.ts'
