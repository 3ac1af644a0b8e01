// Where a visitor wrote a message: the chat page adds it to the metadata. Any client can write
// anything there.
import type { Message } from '@botstead/contract'
import { language } from '../../texts/in-language.ts'

interface Visit {
  page?: string
  /** Its name without the country, or what the client sent. */
  language?: string
}

const maxText = 500
const toField = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value.slice(0, maxText) : undefined

export function toVisit(message: Pick<Message, 'payload'> | undefined): Visit {
  const metadata = (message?.payload.metadata ?? {}) as Record<string, unknown>
  const [page, code] = [toField(metadata.page), toField(metadata.language)]
  return { ...(page && { page }), ...(code && { language: nameLanguage(code) }) }
}

const names = new Intl.DisplayNames(language, { type: 'language' })

function nameLanguage(code: string): string {
  try {
    return names.of(new Intl.Locale(code).language) ?? code
  } catch {
    return code
  }
}

/** Without the scheme, for a line of a list. */
export const toShortPage = (page: string): string => page.replace(/^https?:\/\//, '')
