import { Type } from 'typebox'
import { labelled, recipients } from '../kit/declared.ts'
import { endpoint } from '../kit/define.ts'
import { NullableText, closed, cursor, described, id, limit, moment, nextCursor, refTo } from '../kit/inputs.ts'
import { nullableText, rows, textOrNull } from '../kit/wire.ts'
import { course, mailedCourse, mailedUser } from './previews.ts'
import { CourseId, formOn, formSaid, ref, utc } from './shared.ts'

const UserId = refTo('user', 'The student; pass it to send_email in user_ids.')

export const list_students = endpoint({
  summary: 'List the students of your school or of one course: who joined the school last comes first.',
  aliases: ['who is enrolled', 'how many learners', 'new sign-ups', 'participants of a course', 'who takes my course'],
  label: 'List students',
  brief: ['course_id'],
  access: 'read',
  request: 'GET /api/schools/mine/students',
  input: {
    course_id: Type.Optional(
      labelled(
        'Course',
        id('course', 'Only students of this course; from list_courses. Default: of the whole school.'),
      ),
    ),
    limit: limit(50),
    cursor,
  },
  output: {
    students: Type.Array(
      closed({
        user_id: UserId,
        name: described(NullableText, "The student's full name; null when they did not give one."),
        email: labelled('Email', Type.String({ description: 'The email address where the school reaches them.' })),
        joined_at: labelled('Joined at', described(moment, 'When they joined the school, not the course, in UTC.')),
      }),
      { description: 'Who joined the school last comes first; empty when there are none.' },
    ),
    next_cursor: nextCursor,
  },
  encode: (input, { anchor }) => ({ query: { course: input.course_id, size: input.limit, after: anchor } }),
  decode: (answer, { cursor: next }) => ({
    students: rows(answer['rows']).map(({ uid, full_name, mail, joined }) => ({
      user_id: ref(uid),
      name: textOrNull(full_name),
      email: mail,
      joined_at: utc(joined),
    })),
    next_cursor: next(nullableText(answer['after'])),
  }),
})

export const enroll_student = endpoint({
  summary: 'Enroll someone in a course for free; they get its welcome email. New emails join the school first.',
  aliases: [
    'give somebody free access to a course',
    'sign a student up',
    'add a learner',
    'let her into the course',
    'put her into the course without charge',
    'give him a free seat',
  ],
  label: 'Enroll a student',
  brief: ['email', 'course_id', 'name'],
  approval: {
    headline: 'Enroll {email}[ ({name})] in {course_id} for free',
    button: 'Enroll student',
    consequences: [
      { kind: 'people', text: 'The student gets the welcome e-mail of the course' },
      { kind: 'money', text: 'Nobody pays for the place' },
      { kind: 'other', text: 'An e-mail address that is new joins the school first' },
    ],
  },
  effect: 'adds',
  shownBy: [{ read: 'list_students', from: { course_id: 'course_id' } }],
  preview: [course],
  verify: {
    read: 'list_students',
    from: { course_id: 'course_id' },
    set: { limit: 100 },
    at: 'students',
    id: 'user_id',
    same: { email: 'email' },
  },
  access: 'write',
  confirm: true,
  request: 'POST /schools/mine/courses/{course_id}/enrolments',
  input: {
    course_id: CourseId,
    email: labelled(
      'Email',
      recipients(Type.String({ minLength: 3, maxLength: 254, description: 'The email address of the student.' })),
    ),
    name: Type.Optional(
      labelled(
        'Name',
        Type.String({ maxLength: 120, description: 'Their name; used only when the email is new to the school.' }),
      ),
    ),
  },
  output: {
    user_id: UserId,
    course_id: refTo('course', 'The course that they are enrolled in now.'),
    added_to_school: Type.Boolean({ description: 'Whether the email was new to the school.' }),
  },
  csrf: formOn('/courses/{course_id}'),
  answer: 'redirect',
  encode: ({ email, name }) => ({ form: { mail: email, full_name: name } }),
  decode: (_answer, { location }) => {
    const { user, course, fresh } = formSaid(
      location,
      /^\/students\/(?<user>\d+)\?enrolled=(?<course>\d+)&fresh=(?<fresh>[01])$/,
    )
    return { user_id: user, course_id: course, added_to_school: fresh === '1' }
  },
})

export const send_email = endpoint({
  summary: 'Email chosen users, the students of a course, or all users of your school; it goes out at once.',
  aliases: [
    'email all students',
    'newsletter to my school',
    'write to everyone in the course',
    'mail learners',
    'announcement to students',
    'tell everyone who takes the course',
    'inform my students that the next lesson is late',
  ],
  label: 'Send an email',
  brief: ['to', 'subject', 'body'],
  approval: {
    headline:
      'E-mail[ {to.user_ids|chosen user|chosen users} of][ the students of {to.course_id} in] your school[, {to.user_ids}][: {subject}]',
    button: 'Send e-mail[ to {to.user_ids|user|users}]',
    instead: [
      {
        when: { 'to.all_users': [true] },
        headline: 'E-mail all users of your school[: {subject}]',
        button: 'Send e-mail to all users',
      },
    ],
    consequences: [
      { kind: 'people', text: 'All users of the school get it', when: { 'to.all_users': [true] } },
      { kind: 'people', text: '[{to.user_ids|chosen user gets|chosen users get} it]' },
      {
        kind: 'people',
        text: '[The students of {to.course_id} get it, at least {to.course_id.students|person|people}]',
      },
      { kind: 'other', text: 'It goes out at once' },
    ],
  },
  effect: 'adds',
  shownBy: [],
  preview: [mailedUser, ...mailedCourse],
  access: 'write',
  confirm: true,
  request: 'POST /schools/mine/mailings',
  input: {
    to: labelled(
      'Recipients',
      Type.Object(
        {
          user_ids: Type.Optional(
            labelled(
              'Chosen users',
              recipients(
                Type.Array(id('user', 'A student, from list_students.'), {
                  minItems: 1,
                  maxItems: 200,
                  uniqueItems: true,
                  description: 'Chosen users: one to 200 of user_id from list_students.',
                }),
              ),
            ),
          ),
          course_id: Type.Optional(
            labelled('Students of', id('course', 'All students of this course: course_id from list_courses.')),
          ),
          all_users: Type.Optional(
            labelled('All users', Type.Literal(true, { description: 'true: all users of the school.' })),
          ),
        },
        {
          additionalProperties: false,
          minProperties: 1,
          maxProperties: 1,
          description: 'Who gets it: exactly one of user_ids, course_id and all_users.',
        },
      ),
    ),
    subject: labelled(
      'Subject',
      Type.String({ minLength: 1, maxLength: 150, description: 'The subject line that they see.' }),
    ),
    body: labelled('Message', Type.String({ minLength: 1, maxLength: 20_000, description: 'The text of the email.' })),
  },
  output: {
    email_id: refTo('email', "The app's own number of the email; no endpoint takes it."),
    recipients: Type.Integer({ description: 'How many people it went to.' }),
  },
  csrf: formOn('/mailings'),
  answer: 'redirect',
  encode: ({ to, subject, body }) => ({
    form: {
      to: to.user_ids ? 'picked' : to.course_id === undefined ? 'everyone' : 'course',
      course: to.course_id,
      uids: to.user_ids,
      subject,
      message: body,
    },
  }),
  decode: (_answer, { location }) => {
    const { email, sent } = formSaid(location, /^\/mailings\/(?<email>\d+)\?sent=(?<sent>\d+)$/)
    return { email_id: email, recipients: Number(sent) }
  },
})
