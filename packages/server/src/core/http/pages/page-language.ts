// The language of a page. Its build has a script for each translation (packages/dashboard/translations.ts);
// the reader gets one of them, or none for English.
import type { FastifyRequest } from 'fastify'
import { listCookieValues } from '../callers/cookies.ts'

/** The page sets it when the reader chooses a language. */
const cookie = 'botstead_language'

/** The replies depend on these headers. */
export const languageHeaders = 'cookie, accept-language'

const translation = /<script[^>]* data-language="([^"]+)"[^>]*><\/script>\s*/g

/**
 * Returns the page with one translation: in the language of the reader's cookie, else in the best one that
 * the browser accepts, else in English.
 */
export function translatePage(page: string, request: FastifyRequest): string {
  const known = [
    'en',
    ...[...page.matchAll(translation)].map(([, language]) => language!),
  ]
  const language = chooseLanguage(known, request)
  return page
    .replace('<html lang="en">', `<html lang="${language}">`)
    .replaceAll(translation, (script, one) => (one === language ? script : ''))
}

/** Returns one of the known languages; the first if the request names none of them. */
export function chooseLanguage(
  known: string[],
  request: Pick<FastifyRequest, 'headers'>,
): string {
  const wanted = [
    ...listCookieValues(request, cookie),
    ...listAccepted(request.headers['accept-language']),
  ]
  const found = wanted.map((tag) =>
    known.find((one) => toFirstPart(one) === toFirstPart(tag)),
  )
  return found.find((one) => one !== undefined) ?? known[0]!
}

/** `pt` of `pt-BR`: readers of its other forms prefer this one to English. */
const toFirstPart = (tag: string) => tag.split('-', 1)[0]!.toLowerCase()

/** Returns the tags of the header, the preferred first. */
function listAccepted(header = ''): string[] {
  const accepted = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
    const quality = parameters.find((text) => /^q=/i.test(text))?.slice(2) ?? '1'
    return { tag, quality: /^[01](\.\d{0,3})?$/.test(quality) ? Number(quality) : 0 }
  })
  return accepted
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
