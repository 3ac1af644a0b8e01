// Names of the widget's button, in the languages of the chat page.

const labels = {
  ar: { open: 'فتح {name}', close: 'إغلاق {name}' },
  de: { open: '{name} öffnen', close: '{name} schließen' },
  en: { open: 'Open {name}', close: 'Close {name}' },
  es: { open: 'Abrir {name}', close: 'Cerrar {name}' },
  fr: { open: 'Ouvrir {name}', close: 'Fermer {name}' },
  pt: { open: 'Abrir {name}', close: 'Fechar {name}' },
}

/** Returns the label in this language, or in the visitor's first one that the widget has. */
export function toLabel(action, name, language) {
  const wanted = language ? [language] : navigator.languages
  const codes = wanted.map((tag) => String(tag).toLowerCase().split('-')[0])
  const code = codes.find((one) => Object.hasOwn(labels, one)) ?? 'en'
  return labels[code][action].replace('{name}', () => name)
}
