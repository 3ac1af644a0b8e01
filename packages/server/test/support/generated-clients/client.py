# Performs ten operations with a client in Python that a generator wrote. Prints the texts that it read.
import os

import openapi_client as api

bot, conversation = os.environ['BOT'], os.environ['CONVERSATION']
configuration = api.Configuration(host=os.environ['URL'])
configuration.access_token = os.environ['TOKEN']

with api.ApiClient(configuration) as client:
    conversations = api.ConversationsApi(client)
    messages = api.MessagesApi(client)
    events = api.EventsApi(client)

    listed = conversations.list_conversations(bot).conversations
    assert conversation in [one.id for one in listed]
    assert conversations.get_conversation(conversation, bot).conversation.id == conversation
    participants = api.ParticipantsApi(client).list_participants(conversation, bot).participants
    assert len(participants) > 0

    body = api.CreateMessageBody(
        conversation_id=conversation,
        user_id=bot,
        type='text',
        payload={'text': 'Hello from Python'},
        tags={},
    )
    message = messages.create_message(bot, body).message
    text = messages.get_message(message.id, bot).message.payload['text']
    found = messages.list_messages(bot, conversation_id=conversation).messages
    assert message.id in [one.id for one in found]

    body = api.CreateEventBody(type='greeted', payload={'n': 1}, conversation_id=conversation)
    event = events.create_event(bot, body).event
    assert events.get_event(event.id, bot).event.payload == {'n': 1}
    found = events.list_events(bot, conversation_id=conversation).events
    assert event.id in [one.id for one in found]

    messages.delete_message(message.id, bot)
    try:
        messages.get_message(message.id, bot)
        raise AssertionError('The message was not deleted')
    except api.ApiException as error:
        assert error.status == 404
    print(text)
