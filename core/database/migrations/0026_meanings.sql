-- Up Migration

-- What tables, columns and functions mean, where their names do not say it. schema.sql shows it beside them.

COMMENT ON TABLE users IS 'People, who own all that follows.';
COMMENT ON COLUMN users.may_invite IS 'Whoever set the gateway up, and those whom an operator says so of.';
COMMENT ON TABLE web_sessions IS 'Browser sessions of signed-in people. Only a keyed hash of the cookie is here.';
COMMENT ON TABLE operator_sessions IS 'Browser sessions of operators. Only a keyed hash of the cookie is here; `name` is what they call themselves in the log.';
COMMENT ON COLUMN passkeys.credential IS 'The authenticator''s id of it, base64url.';
COMMENT ON COLUMN passkeys.public_key IS 'COSE.';
COMMENT ON TABLE passkey_challenges IS 'What an authenticator is asked to sign: once, for one browser, within five minutes.';
COMMENT ON COLUMN passkey_challenges.browser IS 'Keyed hash of the browser''s form token, which follows from its cookie.';
COMMENT ON TABLE invitations IS 'Only a keyed hash of the link''s token is here.';
COMMENT ON COLUMN invitations.invited_by IS 'A user, or an operator''s name.';

COMMENT ON TABLE api_keys IS 'A key and those that replaced it, one after the other, are a line. Each covers what it did itself and what those before it did, never the reverse.';
COMMENT ON COLUMN api_keys.apps IS 'Apps the key may use, which bounds what it covers in any case; NULL = all.';
COMMENT ON COLUMN api_keys.line IS 'The id of the first key of its line.';
COMMENT ON COLUMN api_keys.turn IS 'How many came before it in its line. Two keys have no turn in common, so a key is replaced once.';
COMMENT ON COLUMN api_keys.sees_all IS 'It covers all calls of its owner.';
COMMENT ON TABLE scopes IS 'What an owner allows in an app. No row = everything.';
COMMENT ON TABLE endpoint_settings IS 'An owner''s confirm switch and time to decide. No row or NULL = the default.';
COMMENT ON COLUMN endpoint_settings.proof IS '`<key id>.<base64url>`: proves that the owner switched asking off (confirm = false). Without it the endpoint asks as it comes.';
COMMENT ON TABLE audit_log IS 'What owners changed, and what operators did to what is theirs.';

COMMENT ON TABLE app_controls IS 'An operator''s pause and rates of an app. No row or NULL = the connector''s own.';
COMMENT ON COLUMN app_controls.pacing_due IS 'A pause or a rate is saved that the engine has not taken yet.';
COMMENT ON COLUMN app_controls.pacing_due_since IS 'Since when the oldest of them waits; NULL = the engine has all.';
COMMENT ON TABLE endpoint_controls IS 'An operator''s pause of one endpoint, for all accounts: calls are accepted and wait. No row = not paused.';
COMMENT ON TABLE accounts IS 'A person''s account in an app. `session` is sealed with `data_key`, which is wrapped by a key outside the database.';
COMMENT ON COLUMN accounts.reason IS 'Why it must be renewed: AUTH_EXPIRED, CAPTCHA_REQUIRED or MFA_REQUIRED.';
COMMENT ON COLUMN accounts.signed_in_version IS 'The version of the session that the last sign-in made. Versions after it are the same session with cookies that the app changed since.';
COMMENT ON COLUMN accounts.checked_at IS 'When the app was last asked whether the session works: not all the time, whoever asks for it.';
COMMENT ON TABLE pauses IS 'The ladder of blocks: one per account and endpoint. Gone after a success.';
COMMENT ON COLUMN pauses.probe_call IS 'The one call that may try once `until` has passed.';

COMMENT ON COLUMN calls.waiting_for IS 'rate_limited: the app itself said when to come back. People see it as blocked.';
COMMENT ON COLUMN calls.input IS 'Sealed with the account''s data key, as output and error are.';
COMMENT ON COLUMN calls.content_hash IS 'Keyed hash of account, app, endpoint and canonical input: equal calls have equal hashes.';
COMMENT ON COLUMN calls.reserved_month IS 'The month whose credits are reserved now; NULL = nothing reserved.';
COMMENT ON COLUMN calls.decided_by IS 'The owner, or the standing approval of which this call is a use.';
COMMENT ON COLUMN calls.approval_proof IS '`<key id>.<base64url>`: proves that the owner approved exactly this content.';
COMMENT ON COLUMN calls.send IS 'The right to send: a write''s bytes leave only after ready -> sending for its attempt.';
COMMENT ON COLUMN calls.check_at IS 'When the sweeper looks at the call next; NULL = never again.';
COMMENT ON COLUMN calls.sender IS 'Which try took the right to send last: the number of its process, which holds an advisory lock of it for as long as it lives, and 22 bits to count tries. NULL: it is done.';
COMMENT ON COLUMN calls.tries IS 'How often a read was sent in this attempt.';
COMMENT ON COLUMN calls.held_for IS 'What the call has waited for in a row: the app (blocked, rate_limited) or the person (reconnect).';
COMMENT ON COLUMN calls.held_since IS 'Since when.';
COMMENT ON COLUMN calls.blocks IS 'How often a call that nobody approved was blocked, or found its endpoint blocked.';
COMMENT ON COLUMN calls.changed_rule IS 'What an app''s answer lacked when its connector did not understand it: a rule, a field or a type, never what the app said.';
COMMENT ON TABLE idempotency_keys IS 'One belongs to the line of the API key that it came with, from its turn on.';

COMMENT ON TABLE standing_approvals IS 'What a person approves in advance: calls of one endpoint on one account, within bounds. NULL = without that bound.';
COMMENT ON COLUMN standing_approvals.field IS 'The input field that is bound to a list.';
COMMENT ON COLUMN standing_approvals.allowed IS 'The list, sealed with the account''s data key.';
COMMENT ON COLUMN standing_approvals.proof IS '`<key id>.<base64url>`: proves that the owner approved exactly this. It goes with the revocation, so that nobody can undo one.';

COMMENT ON TABLE notice_targets IS 'Where an owner hears of calls: webhooks of programs, and the email address of the account. A deleted one stays as a row, without its secrets, so that a call that is being written meanwhile never fails over it.';
COMMENT ON COLUMN notice_targets.disabled_reason IS 'Why Callgate switched it off by itself: the receiver said 410, or took nothing for three days.';
COMMENT ON COLUMN notice_targets.secret IS 'The signing secret, wrapped as data keys are. The old one signs too until its time is over.';
COMMENT ON COLUMN notice_targets.mail_at IS 'Email: the next one leaves no sooner.';
COMMENT ON TABLE notices IS 'What is to be told, once a target. Written in the transaction of the change itself.';
COMMENT ON COLUMN notices.status IS 'The call''s, at that moment.';
COMMENT ON COLUMN notices.started_at IS 'When the engine was told of it.';
COMMENT ON COLUMN notices.check_at IS 'When the sweeper looks at it next; NULL = never again.';

COMMENT ON FUNCTION accept_call IS 'Writes a call, its reservation and its idempotency key, or says why not and writes none of them: accepted; replayed (call_id is the earlier call); reused (this idempotency key came with another request); full; poor. The balance row is the owner''s lock: equal calls, caps and credits are judged one call at a time. Idempotency keys and equal calls that wait count within the line of the key, up to its own turn; an equal call is told while its key, or that one''s heir, may make it. Of the standing approvals that cover the call (p_standing, the first wins, each with its budget a day and its proof for exactly this call, made for the time to decide p_decide_until) one that still stands approves it, and that is a use of it. Locks: the standing approvals, then the balance; who revokes locks in the same order.';
COMMENT ON FUNCTION access_problem IS 'Why the key may not call the endpoint now; NULL = it may. Asked when a call is accepted, and again right before it is sent.';
COMMENT ON FUNCTION admit IS 'Exact sliding window: admits at most p_max in any p_window, by the database''s clock, over all processes. Returns how many more fit now, and how long until the next fits (0 = now). Only admitted requests count. A clock that is set back finds hits that are still to come: they count as of now, once.';
COMMENT ON FUNCTION block_call IS 'The app blocked an attempt and did nothing: refunds it, readies the next one, counts it, and puts the ladder of its account and endpoint in place. A block during a pause leaves the ladder alone; the block of a probe doubles it, up to an hour.';
COMMENT ON FUNCTION call_problem IS 'Why a call that this key made may not be sent now; NULL = it may. What its own key may not do any more, its heir may do for it.';
COMMENT ON FUNCTION change_plan IS 'A larger plan counts at once: what the month''s grant falls short of it comes on top, however often plans are changed.';
COMMENT ON FUNCTION decide_call IS 'Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then on.';
COMMENT ON FUNCTION disable_target IS 'Switches a target off; what is still to be told there is dropped.';
COMMENT ON FUNCTION end_notices IS 'Ends notices, once, and remembers at their target what came of it. Returns how many had not ended yet.';
COMMENT ON FUNCTION give_up_call IS 'The engine says that a wait is over. Ends the call as failed if the row says so, too: with an approval a day of waiting for the app, or three for the person; without one four blocks, or an app that wants to be asked later than a client waits. Returns the status that stands, and how long the wait goes on if its time is all that is missing.';
COMMENT ON FUNCTION heir_of IS 'The youngest valid key that came after this one in its line; NULL = there is none.';
COMMENT ON FUNCTION lock_balance IS 'Locks the owner''s balance and brings it to this month: what was left lapses, the plan''s credits are granted once. A clock that goes back over the beginning of a month does not bring the month before it back.';
COMMENT ON FUNCTION may_reconnect IS 'Whether a call that waits for its person may be tried again: the account works, and the last try was not a moment ago.';
COMMENT ON FUNCTION note_call IS 'Writes the notices of a call. Emails wait a little, so that one tells of all that are asked for together.';
COMMENT ON FUNCTION note_held IS 'Notes on the row what it waits for from now on.';
COMMENT ON FUNCTION recover_call IS 'A try is said to have died. What the row proves: `again`, with the number of the attempt to make, since nothing was sent, or a read may be sent again; `sending`, for its sender lives; `worn_out`, for a read that was sent p_tries times; otherwise the status that stands.';
COMMENT ON FUNCTION refund_call IS 'An operator gives back what a call used, once. 0 = it used nothing, or was refunded before.';
COMMENT ON FUNCTION release_credits IS 'Gives the reservation back. Credits of a month that is over lapse at once.';
COMMENT ON FUNCTION reserve_credits IS 'Reserves the call''s credits; false = there are not enough, or the call has ended. True also when it has a reservation already.';
COMMENT ON FUNCTION sender_is_gone IS 'Whether nobody can be sending this call any more: its sender said so, or is dead, or has had more time than a try may take.';
COMMENT ON FUNCTION settle_call IS 'Ends a call, once: whoever comes second gets the status that stands. p_attempt NULL = whichever attempt is current. A write that is being sent is ended by the try that sends it, p_sender; what the engine asks for (p_attempt NULL) while it may have been sent ends it as unknown.';
COMMENT ON FUNCTION tell_ending IS 'Whoever waits for a call is told at the moment its end commits.';
COMMENT ON FUNCTION this_day IS 'The day of budgets, in UTC: when it began.';
COMMENT ON FUNCTION withdraw_call IS 'Takes a running call back before anything was sent. True = nothing was sent and nothing will be.';
