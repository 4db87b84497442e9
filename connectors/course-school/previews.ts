import type { Preview } from '../kit/declared.ts'

export const course: Preview = {
  of: 'course_id',
  read: 'list_courses',
  at: 'courses',
  id: 'course_id',
  shows: ['name', 'published', 'url'],
  matters: ['name', 'published'],
  conclusive: true,
}

export const section: Preview = {
  of: 'section_id',
  read: 'get_curriculum',
  from: { course_id: 'course_id' },
  at: 'sections',
  id: 'section_id',
  shows: ['name'],
  matters: [],
  conclusive: true,
}

export const lesson: Preview = {
  of: 'lesson_id',
  read: 'get_lesson',
  by: 'lesson_id',
  from: { course_id: 'course_id' },
  shows: ['name', 'published', 'blocks'],
  matters: ['name', 'published', 'blocks'],
  conclusive: true,
}

/** The app refuses to publish a published lesson, and to hide a hidden one. */
export const lessonToPublish: Preview = { ...lesson, rules: [{ field: 'published', isNot: 'published' }] }

/** The app edits only blocks of this type. */
export const textBlock: Preview = {
  of: 'block_id',
  read: 'get_lesson',
  from: { course_id: 'course_id', lesson_id: 'lesson_id' },
  at: 'blocks',
  id: 'block_id',
  shows: ['body_markdown', 'title', 'type'],
  matters: ['body_markdown'],
  conclusive: true,
  needs: { type: ['text_and_image'] },
}

export const comment: Preview = {
  of: 'comment_id',
  read: 'list_comments',
  set: { status: 'all', limit: 100 },
  at: 'comments',
  id: 'comment_id',
  shows: ['author', 'body', 'lesson', 'status', 'created_at'],
  matters: ['body', 'status'],
  conclusive: true,
}
/** The list of pending comments alone reaches further back than that of all comments. */
export const pendingComment: Preview = { ...comment, set: { status: 'pending', limit: 100 } }

/** The current students of the course receive the email. */
export const mailedCourse: readonly Preview[] = [
  { ...course, of: 'to.course_id' },
  {
    of: 'to.course_id',
    read: 'list_students',
    by: 'course_id',
    set: { limit: 100 },
    shows: ['students'],
    matters: ['students'],
  },
]

export const mailedUser: Preview = {
  of: 'to.user_ids',
  read: 'list_students',
  set: { limit: 100 },
  at: 'students',
  id: 'user_id',
  shows: ['name', 'email', 'joined_at'],
  matters: ['name', 'email'],
}

export const couponInUse: Preview = {
  of: 'coupon_id',
  read: 'list_coupons',
  set: { include_archived: true },
  at: 'coupons',
  id: 'coupon_id',
  shows: ['code', 'discount', 'applies_to', 'status', 'used', 'quantity', 'expires_at'],
  matters: ['code', 'discount', 'applies_to', 'status'],
  conclusive: true,
  needs: { status: ['active', 'expired', 'sold_out'] },
}
