import type { CuratedMatch, RejectedAnswer } from '@botstead/contract'
import type {
  checks as EnglishChecks,
  curated as EnglishCurated,
  unanswered as EnglishUnanswered,
} from '../../../en/bot/knowledge/curated.ts'
import { amount, decimal, thousands } from '../../amount.ts'

const kinds: Record<CuratedMatch['kind'], string> = {
  equal: 'dieselben Wörter',
  words: 'dieselben Wörter in anderer Form',
  misspelt: 'dieselben Wörter, eines davon falsch geschrieben',
}

export const curated: typeof EnglishCurated = {
  title: 'Antworten',
  hint:
    'Stellt jemand eine dieser Fragen, sendet der Bot diese Antwort so, wie Sie sie geschrieben ' +
    'haben. Sie hat Vorrang vor Dokumenten und Modellen. Der Bot erkennt andere Wortformen und ' +
    'Tippfehler; für andere Wörter fügen Sie der Antwort eine weitere Frage hinzu.',
  empty: 'Noch keine Antworten',
  emptyHint: 'Schreiben Sie die Antwort auf eine Frage, die oft gestellt wird.',
  emptyReader: 'Noch hat niemand eine Antwort geschrieben.',
  noMatch: 'Keine Antwort passt',
  search: 'Suchen',
  searchHint: 'Wörter aus Fragen oder Antworten',
  new: 'Neue Antwort',
  newTitle: 'Neue Antwort',
  edit: 'Antwort ändern',
  editOne: (question: string) => `Antwort auf „${question}“ ändern`,
  deleteOne: (question: string) => `Antwort auf „${question}“ löschen`,
  deleteText:
    'Der Bot sendet diese Antwort dann nicht mehr. Das lässt sich nicht rückgängig machen.',
  delete: 'Löschen',
  deleted: 'Die Antwort wurde gelöscht',
  saved: 'Die Antwort wurde gespeichert. Der Bot verwendet sie ab jetzt',
  questions: 'Fragen',
  questionsHint:
    'Eine pro Zeile, so wie Menschen fragen. Der Bot erkennt andere Formen dieser Wörter und ' +
    'Tippfehler. Dieselbe Frage in anderen Worten braucht eine eigene Zeile; höchstens 20.',
  tooMany: 'Eine Antwort kann höchstens 20 Fragen haben.',
  tooLong: 'Eine Frage hat höchstens 300 Zeichen.',
  answer: 'Antwort',
  more: 'Schaltflächen, Bild, Sprache und Zeitraum',
  buttons: 'Schaltflächen unter der Antwort',
  buttonsHint:
    'Eine pro Zeile. Ein Klick sendet den Text der Schaltfläche. Um einen anderen Text zu ' +
    'senden, schreiben Sie: Ja = Ich möchte bestellen',
  picture: 'Adresse eines Bildes',
  pictureHint: 'Wird vor der Antwort gesendet. Beginnt mit https://',
  language: 'Sprache der Fragen',
  languageHint: 'Leer: Der Server erkennt sie an den Wörtern.',
  base: 'Nur für',
  allBases: 'Alle Wissensdatenbanken',
  validFrom: 'Erster Tag',
  validTo: 'Letzter Tag',
  period: 'Der letzte Tag liegt vor dem ersten.',
  changed: 'Geändert',
  notNow: 'Zurzeit nicht verwendet',
  moreQuestions: (count: number) =>
    `und ${amount(count, 'weitere Frage', 'weitere Fragen')}`,
  export: 'Als CSV exportieren',
  import: 'Aus CSV importieren',
  importText:
    'Eine Tabelle mit den Spalten „questions“ und „answer“. Mehrere Fragen zu einer Antwort ' +
    'stehen als Zeilen in derselben Zelle. Ein Export zeigt alle Spalten. Zeilen mit einer „id“ ' +
    'ändern die Antwort mit dieser ID.',
  importFile: 'CSV-Datei wählen',
  imported: (created: number, updated: number, unchanged: number) =>
    `${thousands(created)} hinzugefügt, ${thousands(updated)} geändert, ${thousands(unchanged)} ` +
    'unverändert.',
  rejected: (count: number) =>
    `${amount(count, 'Zeile konnte', 'Zeilen konnten')} nicht importiert werden:`,
  rejectedRow: ({ line, message }: RejectedAnswer) =>
    `Zeile ${thousands(line)}: ${message}`,
  file: 'antworten.csv',
  found: 'Der Bot sendet eine Ihrer Antworten',
  foundHint: ({ question, kind }: CuratedMatch) =>
    `Die Dokumente durchsucht er nicht. Erkannte Frage: „${question}“, ${kinds[kind]}.`,
  fromConversation: 'Als Antwort speichern',
  fromConversationOne: (time: string) => `Nachricht vom ${time} als Antwort speichern`,
}

export const unanswered: typeof EnglishUnanswered = {
  title: 'Unbeantwortet',
  hint:
    'Fragen, die der Bot nicht beantworten konnte, und Antworten, die schlecht bewertet wurden. ' +
    'Eine Frage verschwindet aus der Liste, sobald eine Antwort oder ein neues Dokument sie ' +
    'beantwortet, aber nicht, solange jemand auf eine E-Mail wartet.',
  empty: 'Nichts zu verbessern',
  emptyHint: 'Hier erscheinen Fragen, die der Bot nicht beantworten kann.',
  question: 'Frage',
  count: 'Gestellt',
  times: (count: number) => (count === 1 ? 'einmal' : `${thousands(count)}-mal`),
  rated: (count: number) => `${thousands(count)}-mal schlecht bewertet`,
  last: 'Zuletzt',
  best: 'Beste Textstelle',
  score: (score: string, minScore: number, isEnough: boolean) =>
    isEnough
      ? `${decimal(score)}: genug`
      : `${decimal(score)}, nötig: ${decimal(minScore)}`,
  read: (name: string) => `Textstelle aus „${name}“ lesen`,
  readTitle: 'Beste Textstelle',
  usePassage: 'Diese Textstelle verwenden',
  usePassageHint:
    'Der Bot hat diese Textstelle gefunden. Verwenden Sie sie als Antwort, und kürzen Sie sie:',
  answered: 'Ist jetzt beantwortet',
  answeredHint: 'Wenn jemand das wieder fragt, antwortet der Bot.',
  wantsMail: 'Antwort per E-Mail gewünscht:',
  mailed: 'E-Mail als beantwortet markieren',
  mailedDone: 'Die Bitten um eine Antwort per E-Mail wurden gelöscht',
  noPassage: 'Keine Textstelle der Dokumente passt',
  addAnswer: 'Antwort hinzufügen',
  addAnswerTo: (question: string) => `Antwort auf „${question}“ hinzufügen`,
  others: (question: string) => `Mehr zu „${question}“`,
  addDocument: 'Dokument hinzufügen',
  dismiss: 'Keine Frage',
  dismissed: 'Die Frage wurde aus der Liste entfernt',
  open: 'Unterhaltung öffnen',
  explain: 'Ansehen, was die Suche findet',
  wordings: (count: number) =>
    `und ${amount(count, 'andere Formulierung', 'andere Formulierungen')}`,
}

export const checks: typeof EnglishChecks = {
  title: 'Prüfungen',
  hint:
    'Fragen mit dem Dokument oder Text, der sie beantworten soll. Führen Sie die Prüfung aus, ' +
    'nachdem Sie Dokumente oder Antworten geändert haben: Sie dauert Sekunden, sendet keine ' +
    'Nachrichten und zeigt, was besser und was schlechter geworden ist.',
  empty: 'Noch keine Fragen zu prüfen',
  emptyHint:
    'Fügen Sie Fragen hinzu, die der Bot beantworten muss, mit dem Dokument oder einem Teil der ' +
    'Antwort.',
  emptyReader: 'Noch hat niemand eine Frage hinzugefügt.',
  add: 'Frage hinzufügen',
  run: 'Prüfung ausführen',
  export: 'Exportieren',
  import: 'Importieren',
  importText:
    'Fügt die Fragen aus einer Datei hinzu, die „Exportieren“ oder ein Mensch geschrieben hat, ' +
    'in YAML oder JSON. Fragen, die schon hier sind, bleiben, wie sie sind. „botstead test“ ' +
    'führt dieselbe Datei aus.',
  importFile: 'Datei mit Prüfungen',
  imported: (created: number, unchanged: number) =>
    `${thousands(created)} hinzugefügt, ${thousands(unchanged)} unverändert.`,
  tooLarge: 'Die Datei hat mehr als 2 MB',
  invalid: (file: string, line: number, message: string) =>
    `${file}, Zeile ${line}: ${message}`,
  file: 'wissen.yaml',
  question: 'Frage',
  expectedFile: 'Dokument mit der Antwort',
  expectedFileHint: 'Sein Name, zum Beispiel: rueckgabe.md',
  expectedText: 'Teil der Antwort',
  expectedTextHint:
    'Zum Beispiel: dreißig Tage. Geben Sie das Dokument, einen Teil der Antwort oder beides ein.',
  expected: 'Erwartet',
  quoted: (text: string) => `„${text}“`,
  result: 'Ergebnis',
  found: 'Gefunden',
  nothing: 'Nichts',
  curatedAnswer: 'Eine Ihrer Antworten',
  notRun: 'Noch nicht ausgeführt',
  passed: 'Richtig',
  failed: 'Falsch',
  better: 'Besser als zuvor',
  worse: 'Schlechter als zuvor',
  summary: (passed: number, failed: number, better: number, worse: number) => {
    const changes = [
      better > 0 && `${thousands(better)} besser`,
      worse > 0 && `${thousands(worse)} schlechter`,
    ]
    const compared = changes.filter(Boolean).join(', ')
    const all = amount(passed + failed, 'Frage', 'Fragen')
    const right = `${thousands(passed)} von ${all} richtig`
    return compared ? `${right}; seit der letzten Prüfung: ${compared}.` : `${right}.`
  },
  delete: 'Löschen',
  edit: 'Frage bearbeiten',
  editOne: (question: string) => `„${question}“ bearbeiten`,
  deleteOne: (question: string) => `„${question}“ löschen`,
}
