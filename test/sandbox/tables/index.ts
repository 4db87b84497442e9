import { table as campingHost } from './camping-host.ts'
import { table as courseSchool } from './course-school.ts'
import { table as crm } from './crm.ts'
import { table as digitalProducts } from './digital-products.ts'
import { table as eventManagement } from './event-management.ts'
import { table as fieldJobs } from './field-jobs.ts'
import { table as fieldService } from './field-service.ts'
import { table as fitnessStudio } from './fitness-studio.ts'
import { table as invitations } from './invitations.ts'
import { table as petSalon } from './pet-salon.ts'
import { table as photoGallery } from './photo-gallery.ts'
import { table as propertyAdvertising } from './property-advertising.ts'
import { table as questionAnswer } from './question-answer.ts'
import { table as realEstateAnalytics } from './real-estate-analytics.ts'
import { table as salon } from './salon.ts'
import { table as salonBooking } from './salon-booking.ts'
import type { Table } from './table.ts'
import { table as teacherMarketplace } from './teacher-marketplace.ts'
import { table as tourActivity } from './tour-activity.ts'
import { table as tourSupplier } from './tour-supplier.ts'
import { table as travelBooking } from './travel-booking.ts'
import { table as travelLog } from './travel-log.ts'
import { table as videoStreaming } from './video-streaming.ts'

/** One for each app of the sandbox, in its order. */
export const tables: readonly Table[] = [
  campingHost,
  courseSchool,
  crm,
  digitalProducts,
  eventManagement,
  fieldJobs,
  fieldService,
  fitnessStudio,
  invitations,
  petSalon,
  photoGallery,
  propertyAdvertising,
  questionAnswer,
  realEstateAnalytics,
  salon,
  salonBooking,
  teacherMarketplace,
  tourActivity,
  tourSupplier,
  travelBooking,
  travelLog,
  videoStreaming,
]
