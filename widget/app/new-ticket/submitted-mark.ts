/** The `data-` attribute of the root element that is set when "Send" is pressed before the app is loaded. */
export const submittedMark = 'submitted';
