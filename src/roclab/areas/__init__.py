"""Areas under the curves: numbers, without their uncertainty (see ``inference``)."""
