import type { languages as English } from '../../en/bot/languages.ts'
import { amount, thousands } from '../amount.ts'

export const languages: typeof English = {
  shown: 'Idiomas',
  all: 'Todos os idiomas',
  filter: 'Mostrar',
  kinds: { all: 'Todos os textos', missing: 'Não traduzidos', outdated: 'A verificar' },
  nothingFound: 'Nenhum texto encontrado',
  originalIn: (language: string) => `${language} (original)`,
  counts: (missing: number, outdated: number) =>
    missing + outdated === 0
      ? 'Completo'
      : [missing && `${missing} a traduzir`, outdated && `${outdated} a verificar`]
          .filter(Boolean)
          .join(', '),
  states: { missing: 'Falta traduzir', outdated: 'A verificar: o original mudou' },
  confirm: 'Ainda correto',
  confirmIn: (language: string, place: string) =>
    `Ainda correto: ${language}, texto em ${place}`,
  standard: 'Frases padrão',
  textIn: (place: string) => `Texto em ${place}`,
  translationIn: (language: string, place: string) => `${language}: texto em ${place}`,
  required: 'O original não pode ficar vazio.',
  preview: (language: string) => `Testar o bot neste idioma: ${language}`,
  add: 'Adicionar idioma',
  addTitle: 'Adicionar um idioma',
  first: 'Idioma dos textos atuais',
  firstHint: 'Quem usa um idioma que o bot não tem lê estes textos.',
  language: 'Novo idioma',
  addText:
    'Os textos dos assistentes são traduzidos logo, se os assistentes conhecerem o idioma. ' +
    'Traduza os demais e publique.',
  fillIn: 'Completar com as traduções dos assistentes',
  filledIn: (texts: number, words: number) =>
    `Preenchidos: ${amount(texts, 'texto', 'textos')}` +
    (words > 0
      ? `, e palavras dos visitantes em ${amount(words, 'lugar', 'lugares')}`
      : ''),
  remove: 'Remover idioma',
  removeTitle: (language: string) => `Remover ${language}?`,
  removeText: (count: number) =>
    count === 1
      ? '1 tradução será excluída do rascunho.'
      : `${amount(count, 'tradução', 'traduções')} serão excluídas do rascunho.`,
  export: 'Exportar',
  exportCsv: 'Todos os idiomas, para planilha (CSV)',
  exportXliff: (language: string) => `${language}, para tradutores (XLIFF 1.2)`,
  import: 'Importar',
  importTitle: 'Importar traduções',
  importText:
    'Escolha um arquivo que você exportou aqui. Você vê todas as alterações antes de aplicá-las.',
  importFile: 'Arquivo CSV ou XLIFF',
  compare: 'Mostrar as alterações',
  apply: (count: number) => `Aplicar ${amount(count, 'alteração', 'alterações')}`,
  imported: (count: number) => `Traduções importadas: ${count}`,
  planned: (changes: number, same: number) =>
    `${amount(changes, 'alteração', 'alterações')}. ` +
    `Textos do arquivo iguais aos atuais: ${thousands(same)}.`,
  changes: 'Alterações',
  planOutdated: 'O original mudou desde então: a verificar.',
  planVariables: 'As variáveis são diferentes das do original.',
  unknown: 'Não importado: o bot não tem este texto ou idioma',
  more: (count: number) => `E mais ${count}.`,
  fileTooLarge: 'O arquivo tem mais de 20 MB',
  fileRejected: 'Não é possível ler o arquivo',
  pageTitle: 'Textos',
  publishHint: 'Seus colegas publicam as alterações.',
}
