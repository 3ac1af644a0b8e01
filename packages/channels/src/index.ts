export * from './channel.ts'
export { channels } from './channels.ts'
export type { Guide, GuideStep } from './guide.ts'
export { findOption, readOptions } from './text/choices.ts'
