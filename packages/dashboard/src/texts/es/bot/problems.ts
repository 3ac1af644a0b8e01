/** Problems that the check of a document finds, by their English sentences with `{}` for each value. */
export const problems: Record<string, string> = {
  'has more than {} characters. Shorten it': 'tiene más de {1} caracteres. Acórtelo',
  'requires `flows`. Add `flows`, or remove this field':
    'requiere `flows`. Añada `flows` o elimine este campo',
  ['a letter, then letters, digits and "_", at most 64 characters; "-" only in names of ' +
    'flows, nodes, triggers and knowledge bases']:
    'una letra y después letras, dígitos y «_», 64 caracteres como máximo; «-» solo en nombres ' +
    'de flujos, pasos, disparadores y bases de conocimientos',
  'is not a valid name. Use {}': 'no es un nombre válido. Use {1}',
  ['is no variable. Write its scope and its name, such as `workflow.city`: the scope is ' +
    '`workflow`, `conversation`, `user` or `bot`; the name has letters, digits and "_"']:
    'no es una variable. Escriba su ámbito y su nombre, como `workflow.city`: el ámbito es ' +
    '`workflow`, `conversation`, `user` o `bot`; el nombre tiene letras, dígitos y «_»',
  'does not have the form of this field': 'no tiene la forma de este campo',
  'is empty. Fill it in, or remove it': 'está vacío. Rellénelo o elimínelo',
  'needs at least {} characters': 'necesita al menos {1} caracteres',
  'needs at least {} {}': 'necesita al menos {1} {2}',
  element: 'elemento',
  elements: 'elementos',
  'has more than {} elements. Remove some': 'tiene más de {1} elementos. Elimine algunos',
  'has more than {} entries. Remove some': 'tiene más de {1} entradas. Elimine algunas',
  'must be at least {}': 'debe ser como mínimo {1}',
  'must be at most {}': 'debe ser como máximo {1}',
  'is invalid': 'no es válido',
  'is not a known field. Correct its name, or remove it':
    'no es un campo conocido. Corrija su nombre o elimínelo',
  'is missing. Add it': 'falta. Añádalo',
  'must be {}': 'debe ser {1}',
  'must be one of {}': 'debe ser uno de: {1}',
  'has none of the forms that this field allows. See docs/flows.md for them':
    'no tiene ninguna de las formas que admite este campo. Están en docs/flows.md',
  'is empty. Write what the bot says': 'está vacío. Escriba lo que dice el bot',
  'repeats without end: {}. Add a card that waits or decides, or lead elsewhere':
    'se repite sin fin: {1}. Añada una tarjeta que espere o decida, o lleve a otro lugar',
  'has {{ }} and more than {} characters. Shorten it':
    'tiene {{ }} y más de {1} caracteres. Acórtelo',
  'needs a language model, and the server has none, so it fails. Configure one, or remove it':
    'necesita un modelo de lenguaje y el servidor no tiene ninguno, así que falla. Configure ' +
    'uno o elimínelo',
  'was not imported, and does nothing. Build this part, or remove it':
    'no se importó y no hace nada. Cree esta parte o elimínela',
  'has "{{" without "}}", so users see the braces. Add "}}", or write "\\{{"':
    'tiene «{{» sin «}}», así que los usuarios ven las llaves. Añada «}}» o escriba «\\{{»',
  'names {}, which is not in {}. Add it, or correct the name':
    'nombra {1}, que no existe en {2}. Añada el elemento o corrija el nombre',
  'the node "{}"': 'el paso «{1}»',
  'this flow': 'este flujo',
  'the flow "{}"': 'el flujo «{1}»',
  'the variable "{}"': 'la variable «{1}»',
  '`variables`, `inputs` or `outputs` of this flow':
    '`variables`, `inputs` u `outputs` de este flujo',
  'names the action "{}", which has no `code` in `actions`. Add it, or correct the name':
    'nombra la acción «{1}», que no tiene `code` en `actions`. Añádalo o corrija el nombre',
  'the integration "{}"': 'la integración «{1}»',
  'the knowledge base "{}"': 'la base de conocimientos «{1}»',
  'names a variable of type "{}" for a value of type "{}". Change one of the two':
    'nombra una variable de tipo «{1}» para un valor de tipo «{2}». Cambie uno de los dos',
  'names the file "{}", which does not exist. Add it beside the document, or correct the path':
    'nombra el archivo «{1}», que no existe. Añádalo junto al documento o corrija la ruta',
  'is not in `{}` of the flow "{}". Declare it there, or remove it':
    'no está en `{1}` del flujo «{2}». Declárelo allí o elimínelo',
  'is missing. Add the flow "main", in which conversations start':
    'falta. Añada el flujo «main», en el que empiezan las conversaciones',
  'cannot be combined with `flows`. Remove one of the two':
    'no se puede combinar con `flows`. Elimine uno de los dos',
  'must not begin with "{}", which is reserved for the engine. Rename it':
    'no debe empezar por «{1}», que está reservado. Cambie el nombre',
  'must have exactly one node of type "{}"':
    'debe tener exactamente un paso de tipo «{1}»',
  'must have at most one node of type "exception"':
    'debe tener como máximo un paso de tipo «exception»',
  'must be "{}": only {} a node of type "{}"':
    'debe ser «{1}»: {2} un paso de tipo «{3}»',
  'the flow "main" has': 'solo el flujo «main» tiene',
  'flows other than "main" have': 'solo los flujos distintos de «main» tienen',
  'has the name of a variable of this flow. Rename one of the two':
    'tiene el nombre de una variable de este flujo. Cambie el nombre de uno de los dos',
  'is not allowed in a node of type "{}". Remove it, or change the type':
    'no se permite en un paso de tipo «{1}». Elimínelo o cambie el tipo',
  'is missing. The kind "{}" requires it': 'falta. El tipo «{1}» lo requiere',
  'is missing. The kind "regex" requires it': 'falta. El tipo «regex» lo requiere',
  'is not a valid RE2 pattern: {}': 'no es un patrón RE2 válido: {1}',
  'requires `timeout`. Add `timeout`, or remove this field':
    'requiere `timeout`. Añada `timeout` o elimine este campo',
  ['names nothing to search. Add a knowledge base to `knowledgeBases` of the document, or ' +
    'set `tags` of the card']:
    'no nombra nada en lo que buscar. Añada una base de conocimientos a `knowledgeBases` del ' +
    'documento o defina `tags` de la tarjeta',
  'cannot be combined with `knowledgeBases`. Remove one of the two':
    'no se puede combinar con `knowledgeBases`. Elimine uno de los dos',
  'has no effect with `into`, with which the card sends no message. Remove one of the two':
    'no tiene efecto con `into`, con el que la tarjeta no envía mensajes. Elimine uno de los ' +
    'dos',
  'the table "{}"': 'la tabla «{1}»',
  'is missing. The operation "{}" requires it': 'falta. La operación «{1}» lo requiere',
  'is missing. The operation "{}" requires `row` or `rows`':
    'falta. La operación «{1}» requiere `row` o `rows`',
  'is missing. The operation "delete" requires `id` or `filter`':
    'falta. La operación «delete» requiere `id` o `filter`',
  'has no effect for the kind "{}". Remove it, or change `kind`':
    'no tiene efecto con el tipo «{1}». Elimínelo o cambie `kind`',
  'requires `byModel`. Add `"byModel": true`, or remove this field':
    'requiere `byModel`. Añada `"byModel": true` o elimine este campo',
  'must have the type of the variable, "{}"': 'debe tener el tipo de la variable, «{1}»',
  'the node "{}" of type "trigger"': 'el paso «{1}» de tipo «trigger»',
  'must be a cron expression of five fields that matches a date, such as "0 9 * * *" (UTC)':
    'debe ser una expresión cron de cinco campos que corresponda a una fecha, como «0 9 * * *» ' +
    '(UTC)',
  'is not a valid JSON Schema: {}': 'no es un esquema JSON válido: {1}',
  'is nested too deeply. Simplify it':
    'está anidado con demasiada profundidad. Simplifíquelo',
  'must not contain `{}`. Write the schema in its place':
    'no debe contener `{1}`. Escriba el esquema en su lugar',
  'has the pattern {}, which is not valid in RE2':
    'tiene el patrón {1}, que no es válido en RE2',
  'ends a conversation': 'termina una conversación',
  'talks with a user': 'habla con un usuario',
  ['cannot be in the tool "{}": it {}, and tools have no conversation. Remove it, or remove ' +
    '`tool` from the flow "{}"']:
    'no puede estar en la herramienta «{1}»: {2}, y las herramientas no tienen conversación. ' +
    'Elimínelo, o elimine `tool` del flujo «{3}»',
  waits: 'espera',
  'sets the timeout of a conversation': 'fija el tiempo límite de una conversación',
  'tags a {}': 'pone una etiqueta (`{1}`)',
  'sends to the current conversation': 'envía a la conversación actual',
  'sets a variable of a conversation or a user':
    'asigna una variable de una conversación o de un usuario',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "pt-BR"':
    'no es un código de idioma de BCP 47: «{1}». Use uno como «de» o «pt-BR»',
  'must be written as "{}"': 'debe escribirse «{1}»',
  'is the key of several cards: "{}". Give each another key':
    'es la clave de varias tarjetas: «{1}». Dé a cada una otra clave',
  'belongs to no text of the bot. Correct the key, or remove it':
    'no corresponde a ningún texto del bot. Corrija la clave o elimínela',
  'has no {{ {} }}, which the original has. Add it':
    'no tiene {{ {1} }}, que está en el original. Añádalo',
  'has {{ {} }}, which the original does not have. {}':
    'tiene {{ {1} }}, que no está en el original. {2}',
  'Did you mean `{}`?': '¿Quiso decir `{1}`?',
  'Remove it': 'Elimínelo',
  ['has no translation of {} {}: people with this language read the original. Translate ' +
    'them, or leave them']:
    'no tiene traducción de {1} {2}: quienes hablan este idioma leen el original. Tradúzcalos ' +
    'o déjelos así',
  text: 'texto',
  texts: 'textos',
  'has {} {} of an earlier original, which people read. Check whether they still fit':
    'tiene {1} {2} de un original anterior, que las personas leen. Compruebe si todavía sirven',
  translation: 'traducción',
  translations: 'traducciones',
  'uses the variable "{}", which is not declared. {}':
    'usa la variable «{1}», que no está declarada. {2}',
  'Declare it, or correct the name': 'Declárela o corrija el nombre',
  'reads "{}", but a variable of type "{}" has no member "{}". {}':
    'lee «{1}», pero una variable de tipo «{2}» no tiene el miembro «{3}». {4}',
  'Correct the name': 'Corrija el nombre',
  'is missing. An action of an integration requires it':
    'falta. Una acción de una integración lo requiere',
  'is not allowed: the action of the bot declares its input. Remove it':
    'no se permite: la acción del bot declara su entrada. Elimínelo',
  'is not allowed: the server runs each call of an integration once. Remove it':
    'no se permite: el servidor ejecuta cada llamada a una integración una sola vez. Elimínelo',
  'names the action "{}", whose input schema {}':
    'nombra la acción «{1}», cuyo esquema de entrada {2}',
  'has nothing to search. Add a knowledge base to `knowledgeBases` of the document':
    'no tiene nada en lo que buscar. Añada una base de conocimientos a `knowledgeBases` del ' +
    'documento',
  'requires `keyColumn` of the table "{}". Add it there, or remove the operation':
    'requiere `keyColumn` de la tabla «{1}». Añádalo allí o elimine la operación',
  'is missing. Describe when the model takes this exit, or add `when`':
    'falta. Describa cuándo el modelo toma esta salida o añada `when`',
  'requires `description`: only the model gives values. Add it, or remove this field':
    'requiere `description`: solo el modelo indica valores. Añádalo o elimine este campo',
  'has the name "{}", which models reject. Set a shorter name':
    'tiene el nombre «{1}», que los modelos rechazan. Elija uno más corto',
  'must not have the reserved name "{}". Set another `name`':
    'no debe tener el nombre reservado «{1}». Elija otro `name`',
  'has the name "{}", as {}. Set another `name`, or remove one':
    'tiene el nombre «{1}», como {2}. Elija otro `name` o elimine uno de los dos',
  'The text is not a JavaScript expression: {}':
    'El texto no es una expresión de JavaScript: {1}',
  'The text in {{ }} is not a JavaScript expression: {}':
    'El texto en {{ }} no es una expresión de JavaScript: {1}',
  'names a language without known conventions: "{}". Use one such as "de"':
    'nombra un idioma sin convenciones conocidas: «{1}». Use uno como «de»',
  'is not a language tag of BCP 47: "{}". Use one such as "de" or "en-GB"':
    'no es un código de idioma de BCP 47: «{1}». Use uno como «de» o «en-GB»',
  '"" is empty': 'está vacío',
  '"{}" begins with a comment': '«{1}» empieza con un comentario',
  '"{}" is incomplete': '«{1}» está incompleto',
  '"{}" fails with "{}"': '«{1}» falla con «{2}»',
  '"{}" is not one expression': '«{1}» no es una sola expresión',
  'is not a language of the wizard. Use en, de, fr, es, it, pt or nl':
    'no es un idioma del asistente. Use en, de, fr, es, it, pt o nl',
  'is empty. Fill it in': 'está vacío. Rellénelo',
  'must be a whole number from {} to {}': 'debe ser un número entero de {1} a {2}',
  'is empty. Add a question': 'está vacío. Añada una pregunta',
  'has more than {} questions. Remove some':
    'tiene más de {1} preguntas. Elimine algunas',
  'needs the ids q1, q2 and so on': 'necesita los id. q1, q2, etc.',
  'has two questions with the same id': 'tiene dos preguntas con el mismo id.',
  'needs at least two choices, a line for each':
    'necesita al menos dos opciones, una por línea',
  'has more than 50 choices. Remove some': 'tiene más de 50 opciones. Elimine algunas',
  'has a choice that {}': 'tiene una opción con un problema: {1}',
  'has the same choice twice. Remove one': 'tiene la misma opción dos veces. Elimine una',
  'must be times in their order, such as 09:00-12:00, 13:00-17:00':
    'debe indicar horas en orden, como 09:00-12:00, 13:00-17:00',
  'needs seven days, from Monday to Sunday': 'necesita siete días, de lunes a domingo',
  'is empty, and so are all days. Enter the times of a day':
    'está vacío, como todos los días. Introduzca las horas de un día',
  'is longer than the times of each day': 'es más larga que las horas de cada día',
  'allows more than {} bookings a day. Lower it':
    'permite más de {1} reservas al día. Redúzcalo',
  'is not a time zone. Use a name such as Europe/Zurich':
    'no es una zona horaria. Use un nombre como Europe/Zurich',
  'is missing. Bookings need a table': 'falta. Las reservas necesitan una tabla',
  'is missing. Choose a column': 'falta. Elija una columna',
  'must be the key column of the table, whose values are unique':
    'debe ser la columna clave de la tabla, cuyos valores son únicos',
  'needs letters from A to Z': 'necesita letras de la A a la Z',
  'is not a column of the table': 'no es una columna de la tabla',
  'has another type. Choose a column of texts, or a new one':
    'tiene otro tipo. Elija una columna de textos o una nueva',
  'is already used for another answer': 'ya se usa para otra respuesta',
  'would have more than {} columns': 'tendría más de {1} columnas',
  'is not a table of the bot': 'no es una tabla del bot',
  'has other characters than letters, digits and "_", which flows need':
    'tiene otros caracteres que letras, dígitos y «_», los únicos que admiten los flujos',
  'is missing. Choose the table with the orders': 'falta. Elija la tabla con los pedidos',
  'must be a column of texts or numbers': 'debe ser una columna de textos o números',
  'is the column with the number. Choose another one':
    'es la columna con el número. Elija otra',
  'names {{}}, which is not a column. There are {}':
    'nombra {{1}}, que no es una columna. Columnas: {2}',
  'has more than 20 entries. Remove some': 'tiene más de 20 entradas. Elimine algunas',
  'has an entry of more than 60 characters. Shorten it':
    'tiene una entrada de más de 60 caracteres. Acórtela',
  'is empty. Enter words with which the dialogue begins, or a button':
    'está vacío. Introduzca palabras con las que empiece el diálogo, o un botón',
  'has more than 60 characters. Shorten it': 'tiene más de 60 caracteres. Acórtelo',
  'needs letters or digits': 'necesita letras o dígitos',
  'the bot has no secret "{}"; set it first':
    'El bot no tiene el secreto «{1}». Defínalo primero',
  'integration "{}@{}" was not found or cannot be installed in this bot':
    'La integración «{1}@{2}» no existe o no se puede instalar en este bot',
  'plugin "{}@{}" was not found or cannot be installed in this bot':
    'El plugin «{1}@{2}» no existe o no se puede instalar en este bot',
  'the bot has no knowledge base "{}": create it, or deploy with the command line':
    'El bot no tiene la base de conocimientos «{1}». Créela, o despliegue con la línea de comandos',
  'must have the property "flows"': 'debe tener la propiedad «flows»',
}
