/** Problems that the check of a document finds, by their English sentences with `{}` for each value. */
export const problems: Record<string, string> = {
  'has more than {} characters. Shorten it': 'tem mais de {1} caracteres. Encurte-o',
  'requires `flows`. Add `flows`, or remove this field':
    'exige `flows`. Adicione `flows` ou remova este campo',
  ['a letter, then letters, digits and "_", at most 64 characters; "-" only in names of ' +
    'flows, nodes, triggers and knowledge bases']:
    'uma letra e depois letras sem acento, algarismos e “_”, no máximo 64 caracteres; “-” só ' +
    'em nomes de fluxos, etapas, gatilhos e bases de conhecimento',
  'is not a valid name. Use {}': 'não é um nome válido. Use {1}',
  ['is no variable. Write its scope and its name, such as `workflow.city`: the scope is ' +
    '`workflow`, `conversation`, `user` or `bot`; the name has letters, digits and "_"']:
    'não é uma variável. Escreva o escopo e o nome, como `workflow.city`: o escopo é ' +
    '`workflow`, `conversation`, `user` ou `bot`; o nome tem letras, algarismos e “_”',
  'does not have the form of this field': 'não tem o formato deste campo',
  'is empty. Fill it in, or remove it': 'está vazio. Preencha-o ou remova-o',
  'needs at least {} characters': 'precisa de pelo menos {1} caracteres',
  'needs at least {} {}': 'precisa de pelo menos {1} {2}',
  element: 'elemento',
  elements: 'elementos',
  'has more than {} elements. Remove some': 'tem mais de {1} elementos. Remova alguns',
  'has more than {} entries. Remove some': 'tem mais de {1} entradas. Remova algumas',
  'must be at least {}': 'deve ser no mínimo {1}',
  'must be at most {}': 'deve ser no máximo {1}',
  'is invalid': 'é inválido',
  'is not a known field. Correct its name, or remove it':
    'não é um campo conhecido. Corrija o nome ou remova-o',
  'is missing. Add it': 'está faltando. Adicione',
  'must be {}': 'deve ser {1}',
  'must be one of {}': 'deve ser um de: {1}',
  'has none of the forms that this field allows. See docs/flows.md for them':
    'não tem nenhum dos formatos que este campo aceita. Eles estão em docs/flows.md',
  'is empty. Write what the bot says': 'está vazio. Escreva o que o bot diz',
  'repeats without end: {}. Add a card that waits or decides, or lead elsewhere':
    'se repete sem fim: {1}. Adicione um cartão que espere ou decida, ou leve a outro lugar',
  'has {{ }} and more than {} characters. Shorten it':
    'tem {{ }} e mais de {1} caracteres. Encurte-o',
  'needs a language model, and the server has none, so it fails. Configure one, or remove it':
    'precisa de um modelo de linguagem, e o servidor não tem nenhum, por isso falha. Configure ' +
    'um ou remova-o',
  'was not imported, and does nothing. Build this part, or remove it':
    'não foi importado e não faz nada. Crie esta parte ou remova-a',
  'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"':
    'tem “{{” sem “}}”, por isso os usuários veem as chaves. Adicione “}}” ou escreva “\\{{”',
  'names {}, which is not in {}. Add it, or correct the name':
    'cita {1}, que falta aqui: {2}. Adicione o item ou corrija o nome',
  'the node "{}"': 'a etapa “{1}”',
  'this flow': 'este fluxo',
  'the flow "{}"': 'o fluxo “{1}”',
  'the variable "{}"': 'a variável “{1}”',
  '`variables`, `inputs` or `outputs` of this flow':
    '`variables`, `inputs` ou `outputs` deste fluxo',
  'names the action "{}", which has no `code` in `actions`. Add it, or correct the name':
    'cita a ação “{1}”, que não tem `code` em `actions`. Adicione-o ou corrija o nome',
  'the integration "{}"': 'a integração “{1}”',
  'the knowledge base "{}"': 'a base de conhecimento “{1}”',
  'names a variable of type "{}" for a value of type "{}". Change one of the two':
    'cita uma variável do tipo “{1}” para um valor do tipo “{2}”. Altere um dos dois',
  'names the file "{}", which does not exist. Add it beside the document, or correct the path':
    'cita o arquivo “{1}”, que não existe. Adicione-o ao lado do documento ou corrija o caminho',
  'is not in `{}` of the flow "{}". Declare it there, or remove it':
    'não está em `{1}` do fluxo “{2}”. Declare-o lá ou remova-o',
  'is missing. Add the flow "main", in which conversations start':
    'está faltando. Adicione o fluxo “main”, em que as conversas começam',
  'cannot be combined with `flows`. Remove one of the two':
    'não pode ser combinado com `flows`. Remova um dos dois',
  'must not begin with "{}", which is reserved for the engine. Rename it':
    'não deve começar com “{1}”, que é reservado. Mude o nome',
  'must have exactly one node of type "{}"':
    'deve ter exatamente uma etapa do tipo “{1}”',
  'must have at most one node of type "exception"':
    'deve ter no máximo uma etapa do tipo “exception”',
  'must be "{}": only {} a node of type "{}"':
    'deve ser “{1}”: {2} uma etapa do tipo “{3}”',
  'the flow "main" has': 'só o fluxo “main” tem',
  'flows other than "main" have': 'só os fluxos que não são “main” têm',
  'has the name of a variable of this flow. Rename one of the two':
    'tem o nome de uma variável deste fluxo. Renomeie um dos dois',
  'is not allowed in a node of type "{}". Remove it, or change the type':
    'não é permitido em uma etapa do tipo “{1}”. Remova-o ou mude o tipo',
  'is missing. The kind "{}" requires it': 'está faltando. O tipo “{1}” exige isso',
  'is missing. The kind "regex" requires it': 'está faltando. O tipo “regex” exige isso',
  'is not a valid RE2 pattern: {}': 'não é um padrão RE2 válido: {1}',
  'requires `timeout`. Add `timeout`, or remove this field':
    'exige `timeout`. Adicione `timeout` ou remova este campo',
  ['names nothing to search. Add a knowledge base to `knowledgeBases` of the document, or ' +
    'set `tags` of the card']:
    'não cita nada em que buscar. Adicione uma base de conhecimento a `knowledgeBases` do ' +
    'documento ou defina `tags` do cartão',
  'cannot be combined with `knowledgeBases`. Remove one of the two':
    'não pode ser combinado com `knowledgeBases`. Remova um dos dois',
  'has no effect with `into`, with which the card sends no message. Remove one of the two':
    'não tem efeito com `into`, com o qual o cartão não envia mensagem. Remova um dos dois',
  'the table "{}"': 'a tabela “{1}”',
  'is missing. The operation "{}" requires it':
    'está faltando. A operação “{1}” exige isso',
  'is missing. The operation "{}" requires `row` or `rows`':
    'está faltando. A operação “{1}” exige `row` ou `rows`',
  'is missing. The operation "delete" requires `id` or `filter`':
    'está faltando. A operação “delete” exige `id` ou `filter`',
  'has no effect for the kind "{}". Remove it, or change `kind`':
    'não tem efeito com o tipo “{1}”. Remova-o ou mude `kind`',
  'requires `byModel`. Add `"byModel": true`, or remove this field':
    'exige `byModel`. Adicione `"byModel": true` ou remova este campo',
  'must have the type of the variable, "{}"': 'deve ter o tipo da variável, “{1}”',
  'the node "{}" of type "trigger"': 'a etapa “{1}” do tipo “trigger”',
  'must be a cron expression of five fields that matches a date, such as "0 9 * * *" (UTC)':
    'deve ser uma expressão cron de cinco campos que corresponda a uma data, como “0 9 * * *” ' +
    '(UTC)',
  'is not a valid JSON Schema: {}': 'não é um esquema JSON válido: {1}',
  'is nested too deeply. Simplify it': 'está aninhado demais. Simplifique-o',
  'must not contain `{}`. Write the schema in its place':
    'não deve conter `{1}`. Escreva o esquema no lugar dele',
  'has the pattern {}, which is not valid in RE2':
    'tem o padrão {1}, que não é válido em RE2',
  'ends a conversation': 'encerra uma conversa',
  'talks with a user': 'conversa com um usuário',
  ['cannot be in the tool "{}": it {}, and tools have no conversation. Remove it, or remove ' +
    '`tool` from the flow "{}"']:
    'não pode estar na ferramenta “{1}”: {2}, e ferramentas não têm conversa. Remova-o, ou ' +
    'remova `tool` do fluxo “{3}”',
  waits: 'espera',
  'sets the timeout of a conversation': 'define o tempo limite de uma conversa',
  'tags a {}': 'põe uma tag (`{1}`)',
  'sends to the current conversation': 'envia para a conversa atual',
  'sets a variable of a conversation or a user':
    'define uma variável de uma conversa ou de um usuário',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "pt-BR"':
    'não é um código de idioma da BCP 47: “{1}”. Use um como “de” ou “pt-BR”',
  'must be written as "{}"': 'deve ser escrito como “{1}”',
  'is the key of several cards: "{}". Give each another key':
    'é a chave de vários cartões: “{1}”. Dê a cada um outra chave',
  'belongs to no text of the bot. Correct the key, or remove it':
    'não pertence a nenhum texto do bot. Corrija a chave ou remova-a',
  'has no {{ {} }}, which the original has. Add it':
    'não tem {{ {1} }}, que está no original. Adicione-o',
  'has {{ {} }}, which the original does not have. {}':
    'tem {{ {1} }}, que não está no original. {2}',
  'Did you mean `{}`?': 'Você quis dizer `{1}`?',
  'Remove it': 'Remova-o',
  ['has no translation of {} {}: people with this language read the original. Translate ' +
    'them, or leave them']:
    'não tem tradução de {1} {2}: quem fala este idioma lê o original. Traduza-os ou deixe-os ' +
    'assim',
  text: 'texto',
  texts: 'textos',
  'has {} {} of an earlier original, which people read. Check whether they still fit':
    'tem {1} {2} de um original anterior, que as pessoas leem. Verifique se ainda servem',
  translation: 'tradução',
  translations: 'traduções',
  'uses the variable "{}", which is not declared. {}':
    'usa a variável “{1}”, que não está declarada. {2}',
  'Declare it, or correct the name': 'Declare-a ou corrija o nome',
  'reads "{}", but a variable of type "{}" has no member "{}". {}':
    'lê “{1}”, mas uma variável do tipo “{2}” não tem o membro “{3}”. {4}',
  'Correct the name': 'Corrija o nome',
  'is missing. An action of an integration requires it':
    'está faltando. Uma ação de uma integração exige isso',
  'is not allowed: the action of the bot declares its input. Remove it':
    'não é permitido: a ação do bot declara a entrada. Remova-o',
  'is not allowed: the server runs each call of an integration once. Remove it':
    'não é permitido: o servidor executa cada chamada de uma integração uma única vez. Remova-o',
  'names the action "{}", whose input schema {}':
    'cita a ação “{1}”, cujo esquema de entrada {2}',
  'has nothing to search. Add a knowledge base to `knowledgeBases` of the document':
    'não tem nada em que buscar. Adicione uma base de conhecimento a `knowledgeBases` do ' +
    'documento',
  'requires `keyColumn` of the table "{}". Add it there, or remove the operation':
    'exige `keyColumn` da tabela “{1}”. Adicione-o lá ou remova a operação',
  'is missing. Describe when the model takes this exit, or add `when`':
    'está faltando. Descreva quando o modelo toma esta saída ou adicione `when`',
  'requires `description`: only the model gives values. Add it, or remove this field':
    'exige `description`: só o modelo informa valores. Adicione-o ou remova este campo',
  'has the name "{}", which models reject. Set a shorter name':
    'tem o nome “{1}”, que os modelos rejeitam. Escolha um mais curto',
  'must not have the reserved name "{}". Set another `name`':
    'não deve ter o nome reservado “{1}”. Escolha outro `name`',
  'has the name "{}", as {}. Set another `name`, or remove one':
    'tem o nome “{1}”, como {2}. Escolha outro `name` ou remova um dos dois',
  'The text is not a JavaScript expression: {}':
    'O texto não é uma expressão JavaScript: {1}',
  'The text in {{ }} is not a JavaScript expression: {}':
    'O texto em {{ }} não é uma expressão JavaScript: {1}',
  'names a language without known conventions: "{}". Use one such as "de"':
    'cita um idioma sem convenções conhecidas: “{1}”. Use um como “de”',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "en-GB"':
    'não é um código de idioma da BCP 47: “{1}”. Use um como “de” ou “en-GB”',
  '"" is empty': 'está vazio',
  '"{}" begins with a comment': '“{1}” começa com um comentário',
  '"{}" is incomplete': '“{1}” está incompleto',
  '"{}" fails with "{}"': '“{1}” falha com “{2}”',
  '"{}" is not one expression': '“{1}” não é uma única expressão',
  'is not a language of the wizard. Use en, de, fr, es, it, pt or nl':
    'não é um idioma do assistente. Use en, de, fr, es, it, pt ou nl',
  'is empty. Fill it in': 'está vazio. Preencha-o',
  'must be a whole number from {} to {}': 'deve ser um número inteiro de {1} a {2}',
  'is empty. Add a question': 'está vazio. Adicione uma pergunta',
  'has more than {} questions. Remove some': 'tem mais de {1} perguntas. Remova algumas',
  'needs the ids q1, q2 and so on': 'precisa dos ids q1, q2 e assim por diante',
  'has two questions with the same id': 'tem duas perguntas com o mesmo id',
  'needs at least two choices, a line for each':
    'precisa de pelo menos duas opções, uma por linha',
  'has more than 50 choices. Remove some': 'tem mais de 50 opções. Remova algumas',
  'has a choice that {}': 'tem uma opção com um problema: {1}',
  'has the same choice twice. Remove one': 'tem a mesma opção duas vezes. Remova uma',
  'must be times in their order, such as 09:00-12:00, 13:00-17:00':
    'deve ter horários em ordem, como 09:00-12:00, 13:00-17:00',
  'needs seven days, from Monday to Sunday': 'precisa de sete dias, de segunda a domingo',
  'is empty, and so are all days. Enter the times of a day':
    'está vazio, como todos os dias. Informe os horários de um dia',
  'is longer than the times of each day': 'é maior que os horários de cada dia',
  'allows more than {} bookings a day. Lower it':
    'permite mais de {1} reservas por dia. Diminua o número',
  'is not a time zone. Use a name such as Europe/Zurich':
    'não é um fuso horário. Use um nome como Europe/Zurich',
  'is missing. Bookings need a table': 'está faltando. Reservas precisam de uma tabela',
  'is missing. Choose a column': 'está faltando. Escolha uma coluna',
  'must be the key column of the table, whose values are unique':
    'deve ser a coluna-chave da tabela, cujos valores são únicos',
  'needs letters from A to Z': 'precisa de letras de A a Z',
  'is not a column of the table': 'não é uma coluna da tabela',
  'has another type. Choose a column of texts, or a new one':
    'tem outro tipo. Escolha uma coluna de textos ou uma nova',
  'is already used for another answer': 'já é usada para outra resposta',
  'would have more than {} columns': 'ficaria com mais de {1} colunas',
  'is not a table of the bot': 'não é uma tabela do bot',
  'has other characters than letters, digits and "_", which flows need':
    'tem outros caracteres além de letras, algarismos e “_”, os únicos que os fluxos aceitam',
  'is missing. Choose the table with the orders':
    'está faltando. Escolha a tabela com os pedidos',
  'must be a column of texts or numbers': 'deve ser uma coluna de textos ou números',
  'is the column with the number. Choose another one':
    'é a coluna com o número. Escolha outra',
  'names {{}}, which is not a column. There are {}':
    'cita {{1}}, que não é uma coluna. Colunas: {2}',
  'has more than 20 entries. Remove some': 'tem mais de 20 entradas. Remova algumas',
  'has an entry of more than 60 characters. Shorten it':
    'tem uma entrada com mais de 60 caracteres. Encurte-a',
  'is empty. Enter words with which the dialogue begins, or a button':
    'está vazio. Informe palavras que iniciam o diálogo, ou um botão',
  'has more than 60 characters. Shorten it': 'tem mais de 60 caracteres. Encurte-o',
  'needs letters or digits': 'precisa de letras ou algarismos',
  'the bot has no secret "{}"; set it first':
    'O bot não tem o segredo “{1}”. Defina-o primeiro',
  'integration "{}@{}" was not found or cannot be installed in this bot':
    'A integração “{1}@{2}” não existe ou não pode ser instalada neste bot',
  'plugin "{}@{}" was not found or cannot be installed in this bot':
    'O plugin “{1}@{2}” não existe ou não pode ser instalado neste bot',
  'the bot has no knowledge base "{}": create it, or deploy with the command line':
    'O bot não tem a base de conhecimento “{1}”. Crie-a, ou implante com a linha de comando',
  'must have the property "flows"': 'precisa da propriedade “flows”',
}
