import type { File, KnowledgeSource } from '@botstead/contract'
import type { knowledge as English } from '../../../en/bot/knowledge/knowledge.ts'
import { amount, decimal, plural, thousands } from '../../amount.ts'

const files = (count: number) => amount(count, 'Datei', 'Dateien')
const pages = (count: number) => amount(count, 'Seite', 'Seiten')
const passages = (count: number) => amount(count, 'Textstelle', 'Textstellen')
const words = (all: string[]) => all.map((word) => `„${word}“`).join(', ')
const maxCounted = 20_000

const statuses: Record<File['status'], string> = {
  upload_pending: 'Wartet auf Inhalt',
  upload_failed: 'Hochladen fehlgeschlagen',
  upload_completed: 'Gespeichert, nicht durchsuchbar',
  indexing_pending: 'Wird indexiert',
  indexing_failed: 'Indexieren fehlgeschlagen',
  indexing_completed: 'Durchsuchbar',
}

/** After a number. */
const counted: Record<File['status'], (count: number) => string> = {
  upload_pending: (count) => plural(count, 'wartet auf Inhalt', 'warten auf Inhalt'),
  upload_failed: () => 'nicht hochgeladen',
  upload_completed: () => 'gespeichert, nicht durchsuchbar',
  indexing_pending: (count) => plural(count, 'wird indexiert', 'werden indexiert'),
  indexing_failed: () => 'nicht indexiert',
  indexing_completed: () => 'durchsuchbar',
}

interface InWords {
  matched: string[]
  vectorScore?: number | undefined
  minScore: number
}
const minScoreOwners = { base: ' der Wissensdatenbank', card: ' der Karte', usual: '' }

export const knowledge: typeof English = {
  title: 'Wissen',
  files: 'Dateien',
  pages: 'Seiten im Bereich Wissen',
  documents: 'Dokumente',
  addFiles: 'Dateien hinzufügen',
  search: 'Frage ausprobieren',
  drop: 'Sie können Dateien oder Ordner überall auf dieser Seite ablegen.',
  empty: 'Geben Sie dem Bot etwas zu lesen',
  emptyTitleReader: 'Keine Dokumente',
  emptyHint:
    'Fügen Sie Dokumente hinzu: PDF, Word, Excel, PowerPoint, OpenDocument, HTML, E-Mails, Text ' +
    'oder CSV. Der Server zerlegt jedes in Textstellen. Der Bot antwortet mit den Textstellen, ' +
    'die zu einer Frage passen. Probieren Sie danach hier eine Frage aus, oder schreiben Sie mit ' +
    'dem Bot.',
  emptyReader: 'Noch hat niemand Dokumente hinzugefügt.',
  noMatch: 'Keine Datei passt',
  noMatchHint: 'Ändern Sie die Filter, oder setzen Sie sie zurück.',
  emptyBase: 'Diese Wissensdatenbank ist leer',
  otherFiles: 'Auch Dateien außerhalb des Wissens',
  name: 'Name',
  nameHint: 'Zum Beispiel: Preisliste',
  base: 'Wissensdatenbank',
  noBase: 'keine',
  status: 'Status',
  size: 'Größe',
  noSize: 'unbekannt',
  added: 'Hinzugefügt',
  changed: 'Geändert',
  any: 'Alle',
  actions: 'Aktionen',
  delete: 'Datei löschen',
  deleteOne: (name: string) => `${name} löschen`,
  deleteText:
    'Der Bot findet ihre Textstellen dann nicht mehr. Das lässt sich nicht rückgängig machen.',
  deleted: 'Die Datei wurde gelöscht',
  indexAgain: 'Neu indexieren',
  indexing: 'Der Server liest die Datei noch einmal',
  download: 'Herunterladen',
  counts: (status: File['status'], count: number) => {
    const number = count >= maxCounted ? `${thousands(maxCounted)}+` : thousands(count)
    return `${number} ${counted[status](count)}`
  },
  statuses,
  meaning: {
    progress: (embedded: number, all: number) =>
      `Der Server bereitet die semantische Suche vor: ${thousands(embedded)} von ` +
      `${passages(all)} fertig. Die anderen findet der Bot schon, aber nur, wenn eine Frage ` +
      'Wörter daraus enthält.',
    complete: (all: number) =>
      all === 1
        ? 'Die Suche findet die Textstelle über Wörter und Bedeutung.'
        : `Die Suche findet alle ${thousands(all)} Textstellen über Wörter und Bedeutung.`,
    partly: (embedded: number, all: number) =>
      `Die Suche findet ${thousands(embedded)} von ${passages(all)} über Wörter und Bedeutung, ` +
      'die anderen nur über Wörter: Das Modell kann ihre Sprache nicht.',
    unavailable: (model: string) =>
      `Die Suche findet Textstellen nur über Wörter: Das Modell „${model}“ funktioniert nicht. Der ` +
      'Server versucht es alle paar Sekunden wieder.',
    disabled: 'Die Suche findet Textstellen nur über Wörter.',
    notInstalled:
      'Die Suche findet Textstellen nur über Wörter, weil die Pakete des mitgelieferten Modells ' +
      'nicht installiert sind.',
    about: 'Semantische Suche',
  },
  samples: {
    title: (count: number, hasOthers: boolean) =>
      `Der Bot antwortet ${hasOthers ? 'auch ' : ''}aus ` +
      `${amount(count, 'Beispieldokument', 'Beispieldokumenten')}`,
    ask: (subjects: string) =>
      `Klicken Sie auf „Bot ausprobieren“, und fragen Sie zum Beispiel nach: ${subjects}.`,
    text: (count: number) =>
      count === 1
        ? 'Es stammt aus dem Beispiel. Löschen Sie es, wenn Sie eigene Dokumente hinzufügen.'
        : 'Sie stammen aus dem Beispiel. Löschen Sie sie, wenn Sie eigene Dokumente hinzufügen.',
    delete: 'Beispieldokumente löschen',
    deleteTitle: 'Beispieldokumente löschen',
    deleted: (count: number) => `Gelöscht: ${files(count)}`,
  },
  bases: {
    manage: 'Wissensdatenbank ändern',
    create: 'Neue Wissensdatenbank',
    created: 'Die Wissensdatenbank wurde erstellt',
    name: 'Name',
    taken: 'Eine andere Wissensdatenbank heißt schon so.',
    chooseFirst: 'Wählen Sie zuerst eine Wissensdatenbank',
    rename: 'Umbenennen',
    renamed: 'Die Wissensdatenbank wurde umbenannt',
    renameHint:
      'Abläufe finden eine Wissensdatenbank über ihren Namen. Ändern Sie den Namen danach auch ' +
      'in den Abläufen.',
    minScore: 'Mindestrelevanz',
    minScoreHint:
      'Von 0 bis 1: wie wahrscheinlich eine Textstelle die Frage beantworten muss. Leer: 0,35. ' +
      'Beantwortet der Bot Fragen, die kein Dokument beantwortet, geben Sie mehr ein; fehlen ' +
      'Antworten, weniger.',
    minScoreOf: (name: string) => `Mindestrelevanz von „${name}“`,
    minScoreEffect:
      'Das ändert die Wissensdatenbank: Der Wert gilt für alle Antworten, nicht nur für die ' +
      'Suche auf dieser Seite, und ersetzt die Mindestrelevanz von Karten.',
    minScoreChanged: 'Die Mindestrelevanz wurde geändert',
    noMinScore: '0,35',
    delete: 'Löschen',
    deleteOne: (name: string) => `„${name}“ löschen`,
    deleteText:
      'Die Wissensdatenbank und alle ihre Dateien werden gelöscht. Das lässt sich nicht ' +
      'rückgängig machen.',
    deleted: 'Die Wissensdatenbank wurde gelöscht',
    fallback: 'Dokumente',
  },
  add: {
    title: 'Dateien hinzufügen',
    chosen: files,
    none: 'Keine Dateien gewählt',
    hint:
      'Legen Sie Dateien oder Ordner hier ab. Eine Datei mit demselben Namen wird ersetzt, wenn ' +
      'der Inhalt anders ist, sonst übersprungen.',
    types:
      'Durchsuchbar sind: PDF, Word (docx, rtf), Excel (xlsx), PowerPoint (pptx), OpenDocument ' +
      '(odt, ods, odp), EPUB, E-Mail (eml), HTML, Markdown, CSV, TSV, JSON, YAML, XML und ' +
      'anderer Text. Andere Dateien werden nur gespeichert.',
    start: 'Hochladen',
    startReplacing: 'Hochladen und ersetzen',
    readingFolders: 'Die Ordner werden gelesen …',
    replaces: (count: number) => `Ersetzt ${files(count)}:`,
    skips: (count: number) =>
      `${files(count)} mit demselben Inhalt ${plural(count, 'wird', 'werden')} übersprungen.`,
  },
  upload: {
    title: 'Hochladen',
    running: (done: number, total: number) => `${thousands(done)} von ${files(total)}`,
    waiting:
      'Der Server ist nicht erreichbar. Das Hochladen geht weiter, sobald er antwortet.',
    done: (uploaded: number) => `${files(uploaded)} hochgeladen`,
    replaced: (count: number) => `${thousands(count)} ersetzt`,
    skipped: (count: number) => `${thousands(count)} schon vorhanden`,
    failed: (count: number) => `${thousands(count)} fehlgeschlagen`,
    progress: 'Fortschritt des Hochladens',
    progressOf: (name: string) => `Fortschritt: ${name}`,
    retry: 'Fehlgeschlagene wiederholen',
    stop: 'Anhalten',
    close: 'Schließen',
    more: (count: number) => `und ${thousands(count)} weitere`,
    resume:
      'Um fortzufahren, wählen Sie dieselben Dateien oder denselben Ordner noch einmal. ' +
      'Vorhandene Dateien werden übersprungen.',
  },
  file: {
    title: 'Datei',
    document: 'Dokument',
    passages: 'Textstellen, wie der Bot sie liest',
    kinds: {
      title: 'Überschrift',
      subtitle: 'Zwischenüberschrift',
      paragraph: 'Absatz',
      blockquote: 'Zitat',
      list: 'Liste',
      table: 'Tabelle',
      code: 'Code',
      image: 'Bild',
      page: 'Seite',
    },
    noPassages: 'Keine Textstellen',
    passageHints: {
      upload_pending:
        'Der Inhalt ist nicht angekommen. Laden Sie die Datei noch einmal hoch.',
      upload_failed:
        'Der Inhalt ist nicht angekommen. Laden Sie die Datei noch einmal hoch.',
      upload_completed:
        'Diese Datei ist gespeichert, aber nicht durchsuchbar. Indexieren Sie sie, um sie ' +
        'durchsuchbar zu machen.',
      indexing_pending: 'Der Server liest die Datei. Die Textstellen erscheinen hier.',
      indexing_failed: 'Der Server konnte die Datei nicht lesen.',
      indexing_completed: 'Die Datei enthält keinen Text.',
    },
    page: (page: number) => `Seite ${page}`,
    noPreview:
      'Der Browser kann diese Art von Datei hier nicht anzeigen. Laden Sie sie herunter, um sie ' +
      'zu lesen.',
    readText:
      'Der Browser kann diese Art von Datei hier nicht anzeigen. Das ist der Text, den der ' +
      'Server daraus gelesen hat, in der Reihenfolge der Textstellen.',
    more: 'Mehr Text laden',
    beginning: 'Nur der Anfang wird angezeigt.',
    webPage: 'Webseite',
  },
  websites: {
    title: 'Websites',
    page: 'Website',
    add: 'Website hinzufügen',
    adding: 'Hinzufügen',
    added: 'Der Server liest die Website',
    hint:
      'Der Server liest eine Seite oder alle Seiten einer Sitemap. Er beachtet robots.txt und ' +
      'liest die Seiten nach dem Zeitplan erneut: Geänderte Seiten werden ersetzt, gelöschte ' +
      'entfernt.',
    empty: 'Noch keine Websites',
    emptyHint:
      'Fügen Sie die Adresse einer Seite oder einer Sitemap hinzu. Der Bot antwortet mit dem, ' +
      'was dort steht.',
    emptyReader: 'Noch hat niemand eine Website hinzugefügt.',
    url: 'Adresse',
    urlHint: 'Die meisten Websites haben ihre Sitemap unter /sitemap.xml.',
    type: 'Lesen',
    types: { page: 'Diese Seite', sitemap: 'Alle Seiten dieser Sitemap' },
    schedule: 'Erneut lesen',
    schedules: {
      off: 'Nie',
      daily: 'Täglich',
      weekly: 'Wöchentlich',
      monthly: 'Monatlich',
    },
    maxPages: 'Höchstens (Seiten)',
    status: 'Status',
    statuses: {
      pending: 'Wartet',
      fetching: 'Wird gelesen',
      completed: 'Gelesen',
      failed: 'Fehlgeschlagen',
    },
    progress: ({ total, done, failed }: KnowledgeSource['pages'], isRunning: boolean) => {
      const read = isRunning ? `${thousands(done)} von ${pages(total)}` : pages(total)
      return failed > 0 ? `${read}, ${thousands(failed)} nicht gelesen` : read
    },
    last: 'Zuletzt gelesen',
    next: 'Nächstes Mal',
    refresh: 'Jetzt erneut lesen',
    change: (url: string) => `Erneut lesen: ${url}`,
    changed: 'Der Zeitplan wurde geändert',
    edit: 'Adresse ändern',
    edited: 'Die Adresse wurde geändert. Der Server liest die Website',
    editText:
      'Die Seiten der bisherigen Adresse werden entfernt, sobald der Server die neue gelesen hat.',
    delete: 'Website löschen',
    deleteOne: (url: string) => `${url} löschen`,
    deleteText:
      'Der Bot findet ihre Seiten dann nicht mehr. Das lässt sich nicht rückgängig machen.',
    deleted: 'Die Website wurde gelöscht',
    pages: 'Seiten',
    noPages: 'Keine Seiten',
    noPagesHint: 'Die Seiten erscheinen hier, während der Server sie liest.',
    checked: 'Geprüft',
    file: 'Textstellen',
    pageStatuses: {
      pending: 'Wartet',
      fetched: 'Gelesen',
      unchanged: 'Unverändert',
      blocked: 'Von robots.txt nicht erlaubt',
      failed: 'Fehlgeschlagen',
      gone: 'Gelöscht',
    },
  },
  query: {
    title: 'Frage ausprobieren',
    question: 'Frage',
    placeholder: 'Wie gebe ich etwas zurück?',
    all: 'Alle Dateien',
    submit: 'Suchen',
    hint: 'Sehen Sie, welche Textstellen der Bot zu einer Frage findet, und warum.',
    results: 'Textstellen',
    score: 'Relevanz',
    wordScore: 'Wörter',
    vectorScore: 'Bedeutung',
    mergedScore: 'Wörter und Bedeutung',
    rerankScore: 'Von einem Modell gelesen',
    low: (minScore: number, owner: 'base' | 'card' | 'usual') =>
      `Unter der Mindestrelevanz${minScoreOwners[owner]} von ${decimal(minScore)}: nicht verwendet`,
    lowHint:
      'Es zählt die Mindestrelevanz der Wissensdatenbank. Hat sie keine, zählt `minScore` der ' +
      'Karte, falls angegeben.',
    inWords: ({ matched, vectorScore, minScore }: InWords) => {
      const found =
        matched.length > 0 ? `Passende Wörter: ${matched.join(', ')}` : 'Kein Wort passt'
      const meaning =
        vectorScore === undefined ? '' : `; Bedeutung ${decimal(vectorScore.toFixed(2))}`
      return `${found}${meaning}; nötig: ${decimal(minScore)}.`
    },
    minScore: (minScore: string) => `Mindestrelevanz ändern (${decimal(minScore)})`,
    minScoreOf: (name: string, minScore: string) =>
      `Mindestrelevanz von „${name}“ ändern (${decimal(minScore)})`,
    verdict: {
      title: 'Was der Bot tut',
      answers: 'Der Bot antwortet mit:',
      chooses:
        'Der Bot fragt, welche dieser Antworten gemeint ist, und sendet die gewählte:',
      source: (name: string) => `Quelle: ${name}`,
      model: (count: number) =>
        `Der Bot gibt ${passages(count)} an sein Sprachmodell, das die Antwort schreibt.`,
      low: (score: string, minScore: number) =>
        `Der Bot antwortet nicht: Die beste Textstelle hat eine Relevanz von ${decimal(score)}, ` +
        `nötig ist ${decimal(minScore)}.`,
      lacking:
        'Der Bot antwortet nicht: In der besten Textstelle fehlt die gefragte Angabe, also eine ' +
        'Zahl, eine Zeit oder ein Preis.',
      nothing: 'Der Bot antwortet nicht: Er findet keine Textstelle.',
    },
    cardLimits: (limit: string | undefined, minScore: string | undefined) => {
      const parts = [
        limit && `höchstens ${limit === '1' ? '1 Textstelle' : `${limit} Textstellen`}`,
        minScore && `Mindestrelevanz ${decimal(minScore)}`,
      ]
      const limits = `Grenzen der Karte, die gesucht hat: ${parts.filter(Boolean).join(', ')}.`
      return minScore
        ? `${limits} Hat eine Wissensdatenbank eine eigene Mindestrelevanz, zählt diese.`
        : limits
    },
    clearLimits: 'Ohne diese Grenzen suchen',
    why: 'Warum diese Textstellen',
    matched: (all: string[]) => `Gefundene Wörter: ${words(all)}.`,
    missing: (all: string[]) =>
      `In keiner Textstelle ${plural(all.length, 'steht', 'stehen')}: ${words(all)}.`,
    replaced: (word: string, by: string[]) =>
      by.length > 0
        ? `Statt „${word}“ gesucht: ${words(by)}.`
        : `„${word}“ steht in keiner Textstelle; gesucht wurden ähnlich geschriebene Wörter.`,
    wordsOnly:
      'Die Suche vergleicht Wörter. Mit Embeddings vergleicht sie auch die Bedeutung.',
    embeddings: 'Embeddings einrichten',
    withVectors: 'Die Suche vergleicht Wörter und Bedeutung.',
    withReranking:
      'Ein Modell hat die Frage mit den besten Textstellen gelesen und sie geordnet.',
    nothing: 'Nichts gefunden',
    noTerms: 'Die Frage enthält keine Wörter für eine Suche, nur sehr häufige.',
    noFiles: 'Es gibt keine Dateien zum Durchsuchen. Fügen Sie zuerst welche hinzu.',
    noneReady: 'Noch ist keine Datei durchsuchbar.',
    pending: (count: number) =>
      `${files(count)} ${plural(count, 'wird', 'werden')} noch gelesen. Versuchen Sie es gleich ` +
      'noch einmal.',
    failed: (count: number) =>
      `${files(count)} ${plural(count, 'konnte', 'konnten')} nicht gelesen werden.`,
    showFailed: 'Anzeigen',
    elsewhere: 'Eine andere Wissensdatenbank hat eine Textstelle zu dieser Frage:',
    rephrase:
      'Verwenden Sie in der Frage Wörter aus den Dokumenten, oder ergänzen Sie das Dokument, das ' +
      'sie beantworten soll, um diese Wörter.',
  },
}
