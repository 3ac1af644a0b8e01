// The standard texts of dialogues by language.
import { de } from './de.ts'
import { type DialogueTexts, en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'

export const catalogue: Readonly<Record<string, DialogueTexts>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
}
