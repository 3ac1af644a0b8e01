export * as texts from './en/index.ts'
