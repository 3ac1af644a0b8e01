import type { inbox as English } from '../../en/bot/inbox.ts'

/** Counting stops at 1,000. */
const atMost = (count: number) => (count >= 1_000 ? '1.000+' : String(count))

export const inbox: typeof English = {
  title: 'Posteingang',
  list: 'Übergaben',
  which: 'Welche Übergaben',
  lists: { waiting: 'Wartend', mine: 'Meine', open: 'Offen', closed: 'Geschlossen' },
  counted: (name: string, count: number | undefined) =>
    count ? `${name} (${atMost(count)})` : name,
  waitingCount: (count: number) => `${atMost(count)} wartend`,
  empty: {
    waiting: 'Keine Unterhaltung wartet auf einen Menschen',
    mine: 'Sie antworten in keiner Unterhaltung',
    open: 'Keine Übergabe ist offen',
    closed: 'Noch ist keine Übergabe geschlossen',
  },
  emptyHint:
    'Hier erscheinen Unterhaltungen, wenn der Bot, ein Mitglied oder eine Regel sie an einen ' +
    'Menschen übergibt. Eine Regel reagiert zum Beispiel auf ein Wort wie „Mensch“.',
  takeOverHint:
    'Um jederzeit anstelle des Bots zu antworten, öffnen Sie eine Unterhaltung und wählen ' +
    '„Übernehmen“.',
  toConversations: 'Unterhaltungen',
  user: 'Nutzer',
  last: 'Letzte Nachricht',
  reason: 'Grund',
  answers: 'Zuständig',
  // Above relative times, such as "vor 5 Min.".
  since: 'Angefragt',
  closed: 'Geschlossen',
  nobody: 'Niemand',
  unassigned: { waiting: 'Niemand', assigned: 'Jemand im Helpdesk', closed: 'Niemand' },
  you: 'Sie',
  ofYou: (name: string) => `${name} (Sie)`,
  former: 'Ein früheres Mitglied',
  someMember: 'Ein Mitglied',
  back: 'Zurück zur Liste',
  about: 'Details',
  summary: 'Zusammenfassung',
  waiting: 'Noch antwortet kein Mensch.',
  atHelpDesk:
    'Im Helpdesk antworten Menschen. Wenn Sie die Übergabe schließen, bleibt das Ticket dort ' +
    'offen.',
  mine: 'Sie antworten. Der Bot erhält nichts.',
  seenAs: (name: string) => `Besucher sehen Sie als ${name}.`,
  unnamed: 'Besucher sehen Ihren Namen nicht.',
  changeName: 'Namen ändern',
  ownName: {
    title: 'Ihr Name im Chat',
    hint: 'Besucher sehen diesen Namen über Ihren Antworten. Lassen Sie ihn leer, sehen sie keinen.',
    name: 'Name',
  },
  mineRelayed: 'Sie antworten. Auch der Bot erhält die Nachrichten.',
  other: (name: string) => `${name} antwortet in dieser Unterhaltung`,
  otherHint: 'Übernehmen Sie, um selbst zu antworten.',
  otherDraft: 'Ihr Entwurf bleibt erhalten. Übernehmen Sie, um selbst zu antworten.',
  outcomes: {
    returned: 'An den Bot zurückgegeben. Er antwortet wieder.',
    solved: 'Als gelöst geschlossen. Der Bot beantwortet neue Nachrichten.',
  },
  take: 'Annehmen',
  takeOver: 'Übernehmen',
  openInbox: 'Im Posteingang öffnen',
  reopen: 'Wieder öffnen',
  return: 'An den Bot zurückgeben',
  returnHint:
    'Das Anliegen ist nicht erledigt. Der Bot beantwortet neue Nachrichten und erhält das ' +
    'Ergebnis „returned“.',
  solve: 'Als gelöst schließen',
  solveHint:
    'Das Anliegen ist erledigt. Der Bot beantwortet neue Nachrichten und erhält das Ergebnis ' +
    '„solved“.',
  assign: 'Zuweisen',
  release: 'Warten lassen',
  deleted: 'Diese Übergabe wurde gelöscht',
  deletedHint:
    'Die Unterhaltung wurde gelöscht, zum Beispiel weil die Daten des Nutzers gelöscht wurden.',
  answer: 'Ihre Antwort',
  placeholder: 'Antwort schreiben',
  unfilled: (variable: string) => `Ersetzen Sie ${variable}, bevor Sie das senden.`,
  unsent: 'Ihr Entwurf wurde nicht gesendet',
  unsentHint: 'Die Übergabe ist ohne ihn geschlossen.',
  send: 'Senden',
  attach: 'Datei anhängen',
  attached: (name: string) => `Angehängt: ${name}`,
  detach: (name: string) => `${name} entfernen`,
  own: {
    states: { sent: 'Gesendet', delivered: 'Zugestellt', read: 'Gelesen' },
    edited: 'Bearbeitet',
    edit: 'Bearbeiten',
    editOne: (time: string) => `Nachricht vom ${time} bearbeiten`,
    editTitle: 'Nachricht bearbeiten',
    text: 'Text',
    delete: 'Löschen',
    deleteOne: (time: string) => `Nachricht vom ${time} löschen`,
    deleteTitle: 'Nachricht löschen?',
    deleteHint: 'Sie verschwindet auch aus dem Chat des Nutzers.',
  },
  filters: {
    text: 'Nutzer oder Wörter',
    tag: 'Tags',
    tagHint: 'name=wert',
    member: 'Zuständig',
    source: 'Übergeben von',
    sources: { request: 'Bot oder Mitglied', rule: 'Regel', hitl: 'Plugin hitl' },
    none: 'Keine Übergabe passt zu den Filtern',
  },
  writes: 'Der Nutzer schreibt …',
  person: 'Nutzer',
  handoff: 'Übergabe',
  requested: 'Angefragt',
  requestedBy: 'Angefragt von',
  bot: 'Der Bot',
  assigned: 'Zugewiesen',
  answered: 'Erste Antwort',
  tags: {
    title: 'Tags der Übergabe',
    new: 'Neues Tag der Übergabe',
    none: 'Die Übergabe hat keine Tags',
  },
  notes: {
    title: 'Notizen',
    hint: 'Mitglieder und der Bot sehen sie; Nutzer nicht.',
    text: 'Neue Notiz',
    placeholder: 'Notiz schreiben',
    add: 'Notiz speichern',
    remove: (time: string) => `Notiz vom ${time} löschen`,
  },
  replies: {
    title: 'Textbausteine',
    insert: 'Textbaustein einfügen (Strg+J)',
    search: 'Textbaustein suchen',
    searchHint: 'Enter fügt den ersten ein.',
    none: 'Dieser Bot hat noch keine Textbausteine.',
    noneFound: 'Kein Textbaustein enthält diese Wörter.',
    new: 'Neuer Textbaustein',
    edit: 'Textbaustein bearbeiten',
    editOne: (name: string) => `„${name}“ bearbeiten`,
    deleteOne: (name: string) => `„${name}“ löschen`,
    name: 'Name',
    text: 'Text',
    variables:
      '{{user.name}} und {{agent.name}} werden beim Einfügen ausgefüllt. {{user.name|Gast}}: ' +
      '„Gast“ für Nutzer ohne Namen.',
    unknown: (variable: string) =>
      `${variable} ist keine Variable: Ein Mitglied muss sie vor dem Senden ersetzen.`,
  },
  rules: {
    button: 'Regeln',
    title: 'Regeln für die Übergabe an einen Menschen',
    keywords: 'Stichwörter',
    keywordsHint:
      'Wörter oder Wendungen; Enter fügt sie hinzu. Enthält die Nachricht eines Nutzers eine ' +
      'davon, geht die Unterhaltung an einen Menschen.',
    failures: 'Misslungene Antworten',
    failuresHint:
      'Übergibt nach so vielen hintereinander: Fehler des Bots, schlechte Bewertungen und ' +
      'unbekannte Antworten der Karte „answer“. Leer: nie.',
    unanswered: 'Fragen, die der Bot nicht beantworten kann',
    unansweredHint:
      'Um sofort zu übergeben, lassen Sie onUnknown der Karte „answer“ auf einen Knoten mit der ' +
      'Karte „handoff“ zeigen. Andere Antworten wie „Das weiß ich nicht“ zählen als misslungen, ' +
      'wenn der Bot sie so kennzeichnet.',
    unansweredLink: 'So übergeben Sie in einem Ablauf',
    relays: 'Der Bot erhält Nachrichten auch während einer Übergabe',
    relaysHint:
      'Für Bots, die sie aufzeichnen oder weiterleiten. Sonst erhält er bis zum Ende nichts.',
    message: 'Nachricht an den Nutzer',
    messageHint: 'Wird gesendet, wenn eine Regel übergibt. Leer: keine.',
    hasHours: 'Öffnungszeiten',
    hoursHint:
      'Zu anderen Zeiten erhalten Nutzer eine andere Nachricht. Ohne Öffnungszeiten: immer ' +
      'geöffnet.',
    timezone: 'Zeitzone',
    period: 'Öffnungszeiten',
    days: {
      monday: 'Mo',
      tuesday: 'Di',
      wednesday: 'Mi',
      thursday: 'Do',
      friday: 'Fr',
      saturday: 'Sa',
      sunday: 'So',
    },
    from: 'Von',
    to: 'Bis',
    addHours: 'Zeiten hinzufügen',
    removeHours: 'Diese Zeiten entfernen',
    closedMessage: 'Nachricht zu anderen Zeiten',
    handsOver: 'Auch zu anderen Zeiten übergeben',
    handsOverHint:
      'Sonst antwortet weiter der Bot. Ohne Stichwörter und misslungene Antworten geht zu ' +
      'anderen Zeiten jede Nachricht an einen Menschen.',
  },
  notifications: {
    button: 'Benachrichtigen',
    denied: 'Erlauben Sie im Browser Benachrichtigungen',
    title: 'Eine Unterhaltung wartet auf einen Menschen',
    assigned: 'Eine Unterhaltung wurde Ihnen zugewiesen',
    message: (name: string) => `${name} hat Ihnen geschrieben`,
  },
  allConversations: 'Unterhaltungen in allen Kanälen',
  wholeConversation: 'Unterhaltung öffnen',
}
