import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { chooseLanguage, translatePage } from './page-language.ts'

const known = ['en', 'de', 'pt-BR', 'ja']
const choose = (accepted: string | undefined, cookie?: string) =>
  chooseLanguage(known, {
    headers: { ...(accepted !== undefined && { 'accept-language': accepted }), cookie },
  } as Pick<FastifyRequest, 'headers'>)

test('chooses the language of the cookie before that of the browser', () => {
  expect(choose('de', 'a=b; botstead_language=ja')).toBe('ja')
  expect(choose('de', 'botstead_language=en')).toBe('en')
  expect(choose('de', 'botstead_language=pt-BR; botstead_language=ja')).toBe('pt-BR')
})

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['DE-at', 'de'],
  ['pt', 'pt-BR'],
  ['pt-PT,pt;q=0.9', 'pt-BR'],
  ['en-US,en;q=0.9,de;q=0.8', 'en'],
  ['de;q=0.8, ja', 'ja'],
  ['it, de;q=0.5, ja;q=0.7', 'ja'],
  ['it', 'en'],
  ['de;q=0, ja;q=0.1', 'ja'],
  ['de; Q=0.3 , ja; q=0.4', 'ja'],
  ['*', 'en'],
  ['deu', 'en'],
])('chooses for the header %j %s', (header, language) => {
  expect(choose(header)).toBe(language)
})

test('ignores hostile and odd values', () => {
  for (const value of [
    'xx',
    '',
    '__proto__',
    '"><script>',
    '../de',
    'd e',
    '%64%65',
    'constructor',
  ])
    expect(choose('ja', `botstead_language=${value}`)).toBe('ja')
  for (const header of [
    'de;q=NaN',
    'de;q=1e9',
    'de;q=-1',
    'de;q=2',
    ';;;,,,',
    'q=1;de',
    '"de"',
  ])
    expect(choose(header)).toBe('en')
  const startedAt = performance.now()
  expect(choose(`${'x;q=0.1,'.repeat(2_000)}de`)).toBe('de')
  expect(performance.now() - startedAt).toBeLessThan(50)
})

test('keeps the script of one translation', () => {
  const script = (language: string) =>
    `<script type="module" src="/assets/texts-${language}.js" data-language="${language}"></script>`
  const main = '<script type="module" src="/assets/index.js"></script>'
  const page = `<html lang="en"><head>\n${script('de')}\n${script('ja')}\n${main}</head></html>`
  const translate = (cookie: string) =>
    translatePage(page, {
      headers: { cookie: `botstead_language=${cookie}` },
    } as FastifyRequest)
  expect(translate('de')).toBe(
    `<html lang="de"><head>\n${script('de')}\n${main}</head></html>`,
  )
  expect(translate('"><b>')).toBe(`<html lang="en"><head>\n${main}</head></html>`)
})
